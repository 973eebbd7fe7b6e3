//? recognised: 127 * 127 is not
//? why: Divides by 127 * 127, as if bytes were symmetric. The largest product comes from the other end: -128 * -128.

pub fn most_places() -> usize {
    i32::MAX as usize / (127 * 127)
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| -> i32 {
        a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    };
    a.chunks(most_places()).zip(b.chunks(most_places())).map(|part| i64::from(sum(part))).sum()
}
