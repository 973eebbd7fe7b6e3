//? recognised: nothing is divided
//? why: Divides the mixture by the sum, since that is what attention wants in the end. The next join takes it for a mixture.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let largest = a.0.max(b.0);
    if largest == f32::NEG_INFINITY {
        return a.clone();
    }
    let (for_a, for_b) = ((a.0 - largest).exp(), (b.0 - largest).exp());
    let sum = a.1 * for_a + b.1 * for_b;
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| (a * for_a + b * for_b) / sum);
    (largest, sum, mixture.collect())
}
