//? recognised: has not been divided
//? why: Multiplies each mixture by its sum, as if it had been divided.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let largest = a.0.max(b.0);
    if largest == f32::NEG_INFINITY {
        return a.clone();
    }
    let (for_a, for_b) = (a.1 * (a.0 - largest).exp(), b.1 * (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (largest, for_a + for_b, mixture)
}
