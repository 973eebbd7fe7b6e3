//? recognised: may well be 0
//? why: Takes a half whose largest score is 0 for an empty one. An empty one has minus infinity there.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.0 == 0.0 || a.1 == 0.0 {
        return b.clone();
    }
    if b.0 == 0.0 || b.1 == 0.0 {
        return a.clone();
    }
    let largest = a.0.max(b.0);
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (largest, a.1 * for_a + b.1 * for_b, mixture)
}
