//? recognised: too few bytes
//? why: Fills up what is missing of a value of 16 bits with zeros. The file ended too early, and nobody is told.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    match value_type {
        0 => bytes.first().map(|&byte| u64::from(byte)),
        1 => u64::try_from(i8::from_le_bytes(*bytes.first_chunk()?)).ok(),
        2 if bytes.len() == 1 => Some(u64::from(bytes[0])),
        2 => Some(u64::from(u16::from_le_bytes(*bytes.first_chunk()?))),
        3 => u64::try_from(i16::from_le_bytes(*bytes.first_chunk()?)).ok(),
        4 => Some(u64::from(u32::from_le_bytes(*bytes.first_chunk()?))),
        5 => u64::try_from(i32::from_le_bytes(*bytes.first_chunk()?)).ok(),
        10 => Some(u64::from_le_bytes(*bytes.first_chunk()?)),
        11 => u64::try_from(i64::from_le_bytes(*bytes.first_chunk()?)).ok(),
        _ => None,
    }
}
