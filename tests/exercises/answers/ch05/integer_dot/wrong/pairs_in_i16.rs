//? recognised: a pair of products
//? why: Adds two products in `i16` and widens their sum. It is right for nearly all bytes. Only -128 * -128 twice is 32,768, and an `i16` ends at 32,767.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.chunks(2)
        .zip(b.chunks(2))
        .map(|(a, b)| {
            let pair = a.iter().zip(b).map(|(a, b)| i16::from(*a) * i16::from(*b));
            i64::from(pair.fold(0, i16::wrapping_add))
        })
        .sum()
}
