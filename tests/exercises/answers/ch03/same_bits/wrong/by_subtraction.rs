//? recognised: equals nothing
//? why: Subtracts and asks whether the result is 0. Infinity minus infinity is NaN, and 0.0 - -0.0 is 0.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    (0..left.len().max(right.len())).find(|&i| match (left.get(i), right.get(i)) {
        (Some(l), Some(r)) => !(l - r == 0.0),
        _ => true,
    })
}
