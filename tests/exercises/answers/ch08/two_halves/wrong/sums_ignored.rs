//? recognised: as if each had one key
//? why: Weighs the two results by their largest scores alone. A half with a thousand keys has a sum of its own.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.1 == 0.0 {
        return b.clone();
    }
    if b.1 == 0.0 {
        return a.clone();
    }
    let largest = a.0.max(b.0);
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(x, y)| x / a.1 * for_a + y / b.1 * for_b);
    (largest, for_a + for_b, mixture.collect())
}
