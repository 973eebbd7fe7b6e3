//? recognised: has no negative
//? why: Takes |a| and gives b the sign of a, for an instruction that wants one side unsigned. -128 has no negative in eight bits: it stays -128, and so the product of -128 and -1 has the wrong sign.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            let b = if *a < 0 { b.wrapping_neg() } else { *b };
            i64::from(a.unsigned_abs()) * i64::from(b)
        })
        .sum()
}
