//? recognised: a sum of products
//? why: Sums in `i16`. Each product fits in one, so it looks safe. Two of them need not fit.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = a
        .iter()
        .zip(b)
        .fold(0i16, |sum, (a, b)| sum.wrapping_add(i16::from(*a) * i16::from(*b)));
    i64::from(sum)
}
