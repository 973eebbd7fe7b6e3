//? recognised: the whole row in one i32
//? why: Sums a whole row in one `i32` that wraps, as SIMD additions do. A long row of large products comes out negative.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = a
        .iter()
        .zip(b)
        .fold(0i32, |sum, (a, b)| sum.wrapping_add(i32::from(*a) * i32::from(*b)));
    i64::from(sum)
}
