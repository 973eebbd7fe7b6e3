//? recognised: after the last whole
//? why: Takes whole runs of 32 bytes and forgets what comes after them.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8; 32], &[i8; 32])| -> i64 {
        a.iter().zip(b).map(|(a, b)| i64::from(*a) * i64::from(*b)).sum()
    };
    a.as_chunks().0.iter().zip(b.as_chunks().0).map(sum).sum()
}
