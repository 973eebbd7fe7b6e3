//? recognised: upside down
//? why: Subtracts the wrong way round. What should become smaller grows.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.1 == 0.0 {
        return b.clone();
    }
    if b.1 == 0.0 {
        return a.clone();
    }
    let largest = a.0.max(b.0);
    let (for_a, for_b) = ((largest - a.0).exp(), (largest - b.0).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (largest, a.1 * for_a + b.1 * for_b, mixture)
}
