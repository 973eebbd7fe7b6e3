//? recognised: not an integer
//? why: Takes a type that there is not for an integer. The file is damaged, or newer than the reader.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    match value_type {
        0 => bytes.first().map(|&byte| u64::from(byte)),
        1 => u64::try_from(i8::from_le_bytes(*bytes.first_chunk()?)).ok(),
        2 => Some(u64::from(u16::from_le_bytes(*bytes.first_chunk()?))),
        3 => u64::try_from(i16::from_le_bytes(*bytes.first_chunk()?)).ok(),
        4 => Some(u64::from(u32::from_le_bytes(*bytes.first_chunk()?))),
        5 => u64::try_from(i32::from_le_bytes(*bytes.first_chunk()?)).ok(),
        10 => Some(u64::from_le_bytes(*bytes.first_chunk()?)),
        11 => u64::try_from(i64::from_le_bytes(*bytes.first_chunk()?)).ok(),
        13 => bytes.first().map(|&byte| u64::from(byte)),
        _ => None,
    }
}
