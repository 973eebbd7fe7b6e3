//? recognised: signed
//? why: Reads the bytes as `u8`, so that -1 becomes 255.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.iter().zip(b).map(|(a, b)| i64::from(*a as u8) * i64::from(*b as u8)).sum()
}
