//? recognised: 16 bits
//? why: Keeps the index in 16 bits.

// left: [n], right: [m]
pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    let differing = left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits());
    let shorter = left.len().min(right.len());
    differing
        .map(|at| usize::from(at as u16))
        .or((left.len() != right.len()).then_some(shorter))
}
