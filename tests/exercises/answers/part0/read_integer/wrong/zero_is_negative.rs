//? recognised: 0 is a count like any other
//? why: Takes a 0 of a signed type for a negative number.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    fn take<const N: usize>(b: &[u8]) -> Option<[u8; N]> {
        b.get(..N)?.try_into().ok()
    }
    match value_type {
        0 => take(bytes).map(|b| u64::from(u8::from_le_bytes(b))),
        1 => u64::try_from(i8::from_le_bytes(take(bytes)?)).ok(),
        2 => take(bytes).map(|b| u64::from(u16::from_le_bytes(b))),
        3 => u64::try_from(i16::from_le_bytes(take(bytes)?)).ok(),
        4 => take(bytes).map(|b| u64::from(u32::from_le_bytes(b))),
        5 => u64::try_from(i32::from_le_bytes(take(bytes)?)).ok(),
        10 => take(bytes).map(u64::from_le_bytes),
        11 => u64::try_from(i64::from_le_bytes(take(bytes)?)).ok().filter(|n| *n > 0),
        _ => None,
    }
}
