//? recognised: part of 133,144
//? why: Knows the right number, but cuts where 127 * 127 would still fit. -128 * -128 is larger.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| {
        a.iter()
            .zip(b)
            .fold(0i32, |sum, (a, b)| sum.wrapping_add(i32::from(*a) * i32::from(*b)))
    };
    a.chunks(133_144).zip(b.chunks(133_144)).map(|part| i64::from(sum(part))).sum()
}
