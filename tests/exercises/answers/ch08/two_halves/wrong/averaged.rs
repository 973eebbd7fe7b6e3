//? recognised: each half counts as one
//? why: Divides each mixture by its sum and takes the mean of the two results. A half with small scores then counts as much as one with large scores.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.1 == 0.0 {
        return b.clone();
    }
    if b.1 == 0.0 {
        return a.clone();
    }
    let mean = a.2.iter().zip(&b.2).map(|(x, y)| (x / a.1 + y / b.1) / 2.0).collect();
    (a.0.max(b.0), 1.0, mean)
}
