//? recognised: the eight types
//? why: Knows one type of the eight. A file whose writer chose `u64` for the same count cannot be opened.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    (value_type == 4).then_some(())?;
    Some(u64::from(u32::from_le_bytes(*bytes.first_chunk()?)))
}
