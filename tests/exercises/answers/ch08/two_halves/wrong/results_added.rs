//? recognised: each half counts as one
//? why: Adds the results of the two halves and counts two of them. It is the mean again, divided later.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.1 == 0.0 {
        return b.clone();
    }
    if b.1 == 0.0 {
        return a.clone();
    }
    let added = a.2.iter().zip(&b.2).map(|(x, y)| x / a.1 + y / b.1).collect();
    (a.0.max(b.0), 2.0, added)
}
