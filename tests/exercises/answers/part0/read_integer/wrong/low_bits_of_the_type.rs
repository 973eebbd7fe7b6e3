//? recognised: all of them count
//? why: Looks at the lowest byte of the type. A damaged file that says type 256 is read as if it said 0.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    fn take<const N: usize>(b: &[u8]) -> Option<[u8; N]> {
        b.get(..N)?.try_into().ok()
    }
    match value_type as u8 {
        0 => take(bytes).map(|b| u64::from(u8::from_le_bytes(b))),
        1 => u64::try_from(i8::from_le_bytes(take(bytes)?)).ok(),
        2 => take(bytes).map(|b| u64::from(u16::from_le_bytes(b))),
        3 => u64::try_from(i16::from_le_bytes(take(bytes)?)).ok(),
        4 => take(bytes).map(|b| u64::from(u32::from_le_bytes(b))),
        5 => u64::try_from(i32::from_le_bytes(take(bytes)?)).ok(),
        10 => take(bytes).map(u64::from_le_bytes),
        11 => u64::try_from(i64::from_le_bytes(take(bytes)?)).ok(),
        _ => None,
    }
}
