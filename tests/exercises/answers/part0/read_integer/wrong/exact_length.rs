//? recognised: belongs to the next value
//? why: Refuses a slice that is longer than the value. In a file there is always something after it.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    let width = match value_type {
        0 | 1 => 1,
        2 | 3 => 2,
        4 | 5 => 4,
        10 | 11 => 8,
        _ => return None,
    };
    if bytes.len() != width {
        return None;
    }
    let value = bytes.iter().rev().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let signed = value_type % 2 == 1;
    (!signed || value >> (8 * width - 1) == 0).then_some(value)
}
