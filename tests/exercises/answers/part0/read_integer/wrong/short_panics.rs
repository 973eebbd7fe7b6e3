//? recognised: too few bytes
//? why: Indexes byte by byte, so a file that ends too early ends the program too.

pub fn read_integer(value_type: u32, bytes: &[u8]) -> Option<u64> {
    let width = match value_type {
        0 | 1 => 1,
        2 | 3 => 2,
        4 | 5 => 4,
        10 | 11 => 8,
        _ => return None,
    };
    let mut value = 0u64;
    for i in (0..width).rev() {
        value = value << 8 | u64::from(bytes[i]);
    }
    let signed = value_type % 2 == 1;
    (!signed || value >> (8 * width - 1) == 0).then_some(value)
}
