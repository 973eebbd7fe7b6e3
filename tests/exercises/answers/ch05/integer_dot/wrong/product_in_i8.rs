//? recognised: does not fit into a byte
//? why: Multiplies bytes as bytes. A product needs 16 bits; here the upper eight are lost, as in a register of bytes.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.iter().zip(b).map(|(a, b)| i64::from(a.wrapping_mul(*b))).sum()
}
