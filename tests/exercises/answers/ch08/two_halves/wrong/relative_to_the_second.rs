//? recognised: may be the smaller one
//? why: Moves the first half over to the second, whichever has the larger score. On paper this is right. Where the first is far above, the factor is infinite.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if b.1 == 0.0 {
        return a.clone();
    }
    let for_a = (a.0 - b.0).exp();
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b).collect();
    (b.0, a.1 * for_a + b.1, mixture)
}
