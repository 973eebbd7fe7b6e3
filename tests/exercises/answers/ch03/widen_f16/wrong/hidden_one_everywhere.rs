//? recognised: hidden 1
//? why: Adds the hidden 1 to numbers with exponent 0, which have none. Zero becomes a small number.

pub fn widen(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let mantissa = u32::from(bits & 0x3ff);
    match exponent {
        31 => f32::from_bits(sign | 255 << 23 | mantissa << 13),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}
