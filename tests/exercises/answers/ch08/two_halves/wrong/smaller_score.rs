//? recognised: the smaller of the two
//? why: Moves both halves over to the smaller of the two scores. The factor of the other is then above 1, and may be infinite.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.1 == 0.0 {
        return b.clone();
    }
    if b.1 == 0.0 {
        return a.clone();
    }
    let smallest = a.0.min(b.0);
    let (for_a, for_b) = ((a.0 - smallest).exp(), (b.0 - smallest).exp());
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a * for_a + b * for_b).collect();
    (smallest, a.1 * for_a + b.1 * for_b, mixture)
}
