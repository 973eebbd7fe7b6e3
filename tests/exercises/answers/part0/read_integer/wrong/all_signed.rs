//? recognised: has no sign
//? why: Treats every type as signed. A `u8` of 255 is refused as negative.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    let width = match value_type {
        0 | 1 => 1,
        2 | 3 => 2,
        4 | 5 => 4,
        10 | 11 => 8,
        _ => return None,
    };
    let bytes = bytes.get(..width)?;
    let value = bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    (value >> (8 * width - 1) == 0).then_some(value)
}
