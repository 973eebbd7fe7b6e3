//? recognised: the other half
//? why: Keeps the half with the larger score and drops the other one.

type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    if a.0 > b.0 { a.clone() } else { b.clone() }
}
