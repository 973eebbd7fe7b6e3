//? recognised: the sign
//? why: Counts as if all 32 bits were there for a positive sum. One of them is the sign.

pub fn most_places() -> usize {
    u32::MAX as usize / (128 * 128)
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.iter().zip(b).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum()
}
