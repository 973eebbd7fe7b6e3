//? recognised: closeness
//? why: Allows a millionth. Two neighbouring floats are two numbers, and a sum in another order is usually that near.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    (0..left.len().max(right.len())).find(|&i| match (left.get(i), right.get(i)) {
        (Some(l), Some(r)) => (l - r).abs() > 1e-6,
        _ => true,
    })
}
