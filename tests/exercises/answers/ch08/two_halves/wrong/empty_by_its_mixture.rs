//? recognised: its weights count
//? why: Takes a half with a mixture of zeros for an empty one. Values can be zeros, and their weights are in the sum all the same.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.2.iter().all(|x| *x == 0.0) {
        return b.clone();
    }
    if b.2.iter().all(|x| *x == 0.0) {
        return a.clone();
    }
    let largest = a.0.max(b.0);
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (largest, a.1 * for_a + b.1 * for_b, mixture)
}
