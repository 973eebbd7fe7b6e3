//? recognised: part of 131,072
//? why: Knows the right number and cuts with the round one. A part of 131,072 places can be 2^31, and in a register it wraps to -2^31.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| {
        a.iter()
            .zip(b)
            .fold(0i32, |sum, (a, b)| sum.wrapping_add(i32::from(*a) * i32::from(*b)))
    };
    a.chunks(1 << 17).zip(b.chunks(1 << 17)).map(|part| i64::from(sum(part))).sum()
}
