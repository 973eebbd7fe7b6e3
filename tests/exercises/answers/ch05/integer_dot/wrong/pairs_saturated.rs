//? recognised: stops at 32,767
//? why: Adds two products in `i16` and stops at its end, as an instruction of x86 does (`pmaddubsw`). The sum is then one too small, without a word.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.chunks(2)
        .zip(b.chunks(2))
        .map(|(a, b)| {
            let pair = a.iter().zip(b).map(|(a, b)| i16::from(*a) * i16::from(*b));
            i64::from(pair.fold(0, i16::saturating_add))
        })
        .sum()
}
