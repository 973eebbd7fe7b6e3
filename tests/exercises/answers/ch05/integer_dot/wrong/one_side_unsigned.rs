//? recognised: signed
//? why: Reads the bytes of one row as `u8`. Some instructions multiply unsigned by signed bytes, and want the one side moved first.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.iter().zip(b).map(|(a, b)| i64::from(*a as u8) * i64::from(*b)).sum()
}
