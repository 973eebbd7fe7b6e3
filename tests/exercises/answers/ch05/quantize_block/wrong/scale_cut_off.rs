//? recognised: cut off
//? why: Moves the exponent and cuts off the bits that have no room. The scale is then always too small and never rounded up, and one below the smallest normal 16-bit float becomes 0.

pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    if !x.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let d = largest / 127.0;
    let id = 1.0 / d;
    let id = if id.is_finite() { id } else { 0.0 };
    let mut block = [0; 34];
    let exponent = (d.to_bits() >> 23) as i32 - 127 + 15;
    let bits = match exponent {
        1..31 => (exponent as u16) << 10 | (d.to_bits() >> 13 & 0x3ff) as u16,
        _ => 0,
    };
    block[..2].copy_from_slice(&bits.to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x * id).round() as i8 as u8;
    }
    Some(block)
}
