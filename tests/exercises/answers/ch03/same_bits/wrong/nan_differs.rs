//? recognised: NaN
//? why: Compares with `!=`. Then a NaN differs from itself.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    (0..left.len().max(right.len())).find(|&i| match (left.get(i), right.get(i)) {
        (Some(l), Some(r)) => l != r,
        _ => true,
    })
}
