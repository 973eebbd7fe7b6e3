//? recognised: before the lengths differ
//? why: Compares the lengths first and reports the end of the shorter slice, although the numbers differ earlier.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    if left.len() != right.len() {
        return Some(left.len().min(right.len()));
    }
    left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits())
}
