//? recognised: zip stops

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits())
}
