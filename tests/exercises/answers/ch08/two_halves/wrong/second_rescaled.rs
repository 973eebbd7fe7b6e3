//? recognised: first half is never moved
//? why: Moves the second half only.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let largest = a.0.max(b.0);
    if largest == f32::NEG_INFINITY {
        return a.clone();
    }
    let for_b = (b.0 - largest).exp();
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a + b * for_b).collect();
    (largest, a.1 + b.1 * for_b, mixture)
}
