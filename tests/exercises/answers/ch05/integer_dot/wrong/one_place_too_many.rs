//? recognised: 2,147,483,648
//? why: Divides 2^31 by 2^14. The sum of 131,072 largest products is 2^31 itself, and an `i32` ends one before it.

pub fn most_places() -> usize {
    131_072
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| -> i32 {
        a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    };
    a.chunks(most_places()).zip(b.chunks(most_places())).map(|part| i64::from(sum(part))).sum()
}
