//? recognised: relative to another score
//? why: Adds sums and mixtures as they are. The weights of the two halves are relative to two different scores.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    let mixture = a.2.iter().zip(&b.2).map(|(a, b)| a + b).collect();
    (a.0.max(b.0), a.1 + b.1, mixture)
}
