//? recognised: 131,072 products
//? why: Sums a whole row in one `i32`. The check's longest rows overflow it, and the program stops.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum: i32 = a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
    i64::from(sum)
}
