//? recognised: not the last
//? why: Searches from the end. Where a result first goes wrong says more than where it last does.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    (0..left.len().max(right.len())).rev().find(|&i| match (left.get(i), right.get(i)) {
        (Some(l), Some(r)) => l.to_bits() != r.to_bits(),
        _ => true,
    })
}
