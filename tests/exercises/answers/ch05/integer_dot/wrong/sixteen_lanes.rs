//? recognised: 131,072 products
//? why: Sums in sixteen lanes, as a register does, and never moves them to an i64. From 2,097,152 bytes on, a lane can overflow.

pub fn most_places() -> usize {
    131_071
}

pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    let mut lanes = [0i32; 16];
    for (a, b) in a.chunks(16).zip(b.chunks(16)) {
        for (lane, (a, b)) in lanes.iter_mut().zip(a.iter().zip(b)) {
            *lane += i32::from(*a) * i32::from(*b);
        }
    }
    lanes.iter().map(|lane| i64::from(*lane)).sum()
}
