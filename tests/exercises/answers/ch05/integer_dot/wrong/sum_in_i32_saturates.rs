//? recognised: stops at the end of i32
//? why: Sums in an `i32` that stops at its end. That is nearer to the truth than a sum that wraps, and as wrong.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = a
        .iter()
        .zip(b)
        .fold(0i32, |sum, (a, b)| sum.saturating_add(i32::from(*a) * i32::from(*b)));
    i64::from(sum)
}
