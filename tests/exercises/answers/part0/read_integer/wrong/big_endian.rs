//? recognised: least significant byte
//? why: Reads the most significant byte first. GGUF stores the least significant one first.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    let width = match value_type {
        0 | 1 => 1,
        2 | 3 => 2,
        4 | 5 => 4,
        10 | 11 => 8,
        _ => return None,
    };
    let value = bytes.get(..width)?.iter().fold(0u64, |sum, &byte| sum << 8 | u64::from(byte));
    let signed = value_type % 2 == 1;
    (!signed || value >> (8 * width - 1) == 0).then_some(value)
}
