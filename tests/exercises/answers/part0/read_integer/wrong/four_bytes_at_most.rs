//? recognised: all of them count
//? why: Reads at most four bytes. A count of five billion loses its upper half.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    let width = match value_type {
        0 | 1 => 1,
        2 | 3 => 2,
        4 | 5 => 4,
        10 | 11 => 8,
        _ => return None,
    };
    let bytes = bytes.get(..width)?;
    let value =
        bytes[..width.min(4)].iter().rev().fold(0u64, |sum, &b| sum << 8 | u64::from(b));
    let signed = value_type % 2 == 1 && bytes[width - 1] >= 0x80;
    (!signed).then_some(value)
}
