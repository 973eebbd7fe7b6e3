//? recognised: f32
//? why: Sums in `f32`. Its 24 bits hold every integer up to 2^24, which is 1,024 of the largest products. After that, sums are rounded.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.iter().zip(b).map(|(a, b)| f32::from(*a) * f32::from(*b)).sum::<f32>() as i64
}
