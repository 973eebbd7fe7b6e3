//? recognised: smallest numbers
//? why: Takes the smallest numbers for zero. Their bits are not those of zero.

// left: [n], right: [m]
pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    let differing = left.iter().zip(right).position(|(l, r)| {
        let bits = |x: &f32| if x.is_subnormal() { 0 } else { x.to_bits() };
        bits(l) != bits(r)
    });
    let shorter = left.len().min(right.len());
    differing.or((left.len() != right.len()).then_some(shorter))
}
