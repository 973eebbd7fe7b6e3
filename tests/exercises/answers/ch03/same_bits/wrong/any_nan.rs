//? recognised: NaNs with different bits
//? why: Takes any NaN for any other. A NaN has room for different bits, and a kernel that returns a different NaN has computed something else.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    (0..left.len().max(right.len())).find(|&i| match (left.get(i), right.get(i)) {
        (Some(l), Some(r)) => l.to_bits() != r.to_bits() && !(l.is_nan() && r.is_nan()),
        _ => true,
    })
}
