//? recognised: does not fit into a byte
//? why: Widens the product. By then it has overflowed: both bytes have to be widened first.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.iter().zip(b).map(|(a, b)| i64::from(a * b)).sum()
}
