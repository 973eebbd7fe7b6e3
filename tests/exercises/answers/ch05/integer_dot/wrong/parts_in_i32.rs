//? recognised: 131,072 products
//? why: Cuts the row into parts that fit, and then adds the parts in an `i32` too. Two parts can be twice as large as one.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let sum = |(a, b): (&[i8], &[i8])| -> i32 {
        a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum()
    };
    let parts = a.chunks(most_places()).zip(b.chunks(most_places()));
    i64::from(parts.map(sum).sum::<i32>())
}
