//? recognised: with its sign
//? why: Compares the scores without their signs. Of -3 and 1 it takes -3.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.1 == 0.0 {
        return b.clone();
    }
    if b.1 == 0.0 {
        return a.clone();
    }
    let largest = if a.0.abs() > b.0.abs() { a.0 } else { b.0 };
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (largest, a.1 * for_a + b.1 * for_b, mixture)
}
