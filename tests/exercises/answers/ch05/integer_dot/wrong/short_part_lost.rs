//? recognised: after the last whole
//? why: Cuts the row into whole parts of 131,071 places. A row that is shorter gives 0.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| -> i32 {
        a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    };
    a.chunks_exact(most_places())
        .zip(b.chunks_exact(most_places()))
        .map(|part| i64::from(sum(part)))
        .sum()
}
