//? recognised: exponent 31
//? why: Treats exponent 31 like any other. Infinity becomes 65,536.

pub fn widen(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let mantissa = u32::from(bits & 0x3ff);
    match exponent {
        0 => f32::from_bits(sign | (mantissa as f32 / 16_777_216.0).to_bits()),
        _ => f32::from_bits(sign | (exponent + 112) << 23 | mantissa << 13),
    }
}
