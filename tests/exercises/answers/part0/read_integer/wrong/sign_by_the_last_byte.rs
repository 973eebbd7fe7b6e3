//? recognised: sign is one bit
//? why: Takes a number for negative if its last byte is 255. The sign is one bit.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    let width = match value_type {
        0 | 1 => 1,
        2 | 3 => 2,
        4 | 5 => 4,
        10 | 11 => 8,
        _ => return None,
    };
    let bytes = bytes.get(..width)?;
    let signed = matches!(value_type, 1 | 3 | 5 | 11);
    if signed && bytes[width - 1] == 0xff {
        return None;
    }
    let mut wide = [0; 8];
    wide[..width].copy_from_slice(bytes);
    Some(u64::from_le_bytes(wide))
}
