//? recognised: do not store it alike
//? why: Copies the exponent with the bias of an `f32` and without taking off the old one.

pub fn widen(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let mantissa = u32::from(bits & 0x3ff);
    let magnitude = match exponent {
        0 => (mantissa as f32 * 2f32.powi(-24)).to_bits(),
        31 => 255 << 23 | mantissa << 13,
        _ => (exponent + 127) << 23 | mantissa << 13,
    };
    f32::from_bits(sign | magnitude)
}
