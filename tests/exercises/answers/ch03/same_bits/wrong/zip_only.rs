//? recognised: where did the search stop
//? why: Stops at the end of the shorter slice. A kernel that loses the last row would pass.

pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits())
}
