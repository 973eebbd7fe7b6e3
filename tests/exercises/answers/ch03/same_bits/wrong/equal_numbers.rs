//? recognised: -0.0
//? why: Compares with `==`. Then 0.0 and -0.0 are the same, although their bits differ.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    (0..left.len().max(right.len())).find(|&i| match (left.get(i), right.get(i)) {
        (Some(l), Some(r)) => l != r && !(l.is_nan() && r.is_nan()),
        _ => true,
    })
}
