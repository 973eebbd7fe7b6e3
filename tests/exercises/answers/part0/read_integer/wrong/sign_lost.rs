//? recognised: negative
//? why: Keeps the bits of a negative number and calls them unsigned: -1 becomes the largest `u64` of all.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    let width = match value_type {
        0 | 1 => 1,
        2 | 3 => 2,
        4 | 5 => 4,
        10 | 11 => 8,
        _ => return None,
    };
    let bytes = bytes.get(..width)?;
    Some(bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte)))
}
