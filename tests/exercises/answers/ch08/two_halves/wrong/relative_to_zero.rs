//? recognised: exp overflows
//? why: Takes the largest scores out of the weights, so that all are relative to 0. From 89 on, exp is more than an `f32` can hold.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let (for_a, for_b) = (a.0.exp(), b.0.exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (0.0, a.1 * for_a + b.1 * for_b, mixture)
}
