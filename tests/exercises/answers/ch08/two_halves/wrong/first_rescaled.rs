//? recognised: second half is never moved
//? why: Moves the first half over to the larger score, as if the second were always the later one with the larger score.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let largest = a.0.max(b.0);
    if largest == f32::NEG_INFINITY {
        return a.clone();
    }
    let for_a = (a.0 - largest).exp();
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b).collect();
    (largest, a.1 * for_a + b.1, mixture)
}
