//? recognised: even two products
//? why: Sums in `i16`, as the one before. Here the addition is a checked one, so the program stops instead of going on with a wrong number.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum: i16 = a.iter().zip(b).map(|(a, b)| i16::from(*a) * i16::from(*b)).sum();
    i64::from(sum)
}
