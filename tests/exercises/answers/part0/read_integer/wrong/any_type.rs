//? recognised: not an integer
//? why: Reads four bytes whatever the type says. A float or a piece of text then becomes a count.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    match value_type {
        0 | 7 => bytes.first().map(|&byte| u64::from(byte)),
        1 => u64::try_from(i8::from_le_bytes(*bytes.first_chunk()?)).ok(),
        2 => Some(u64::from(u16::from_le_bytes(*bytes.first_chunk()?))),
        3 => u64::try_from(i16::from_le_bytes(*bytes.first_chunk()?)).ok(),
        4 | 6 => Some(u64::from(u32::from_le_bytes(*bytes.first_chunk()?))),
        5 => u64::try_from(i32::from_le_bytes(*bytes.first_chunk()?)).ok(),
        11 => u64::try_from(i64::from_le_bytes(*bytes.first_chunk()?)).ok(),
        _ => Some(u64::from_le_bytes(*bytes.first_chunk()?)),
    }
}
