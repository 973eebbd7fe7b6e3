//? recognised: -128 * 127 is
//? why: Divides by 128 * 127, the product of the two ends. The product of the lower end with itself is larger.

pub fn most_places() -> usize {
    i32::MAX as usize / (128 * 127)
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| -> i32 {
        a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    };
    a.chunks(most_places()).zip(b.chunks(most_places())).map(|part| i64::from(sum(part))).sum()
}
