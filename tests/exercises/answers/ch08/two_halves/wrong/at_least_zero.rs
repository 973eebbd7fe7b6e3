//? recognised: not 0
//? why: Begins the search for the largest score at 0. With scores around -200 every weight becomes 0.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let largest = [a.0, b.0].into_iter().fold(0.0, f32::max);
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (largest, a.1 * for_a + b.1 * for_b, mixture)
}
