//? recognised: 131,072 products
//? why: Cuts the row into two halves. From 262,144 bytes on, a half can be too long.

pub fn most_places() -> usize {
    let farthest = i32::from(i8::MIN) * i32::from(i8::MIN);
    (i32::MAX / farthest) as usize
}

// a: [n], b: [n]
pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| -> i32 {
        a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    };
    let parts = a.chunks(a.len().div_ceil(2).max(1)).zip(b.chunks(b.len().div_ceil(2).max(1)));
    parts.map(|part| i64::from(sum(part))).sum()
}
