//? recognised: far below
//? why: Drops a half whose largest score is more than ten below the other. Each of its weights is small, and there may be thousands.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let largest = a.0.max(b.0);
    if largest == f32::NEG_INFINITY || a.0 - b.0 > 10.0 {
        return a.clone();
    }
    if b.0 - a.0 > 10.0 {
        return b.clone();
    }
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (largest, a.1 * for_a + b.1 * for_b, mixture)
}
