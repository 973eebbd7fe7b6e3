//? recognised: cut off
//? why: Drops thirteen bits and never rounds up. Every number moves towards zero, by up to a whole step.

pub fn nearest_even(x: f32) -> u16 {
    let bits = x.to_bits();
    let (sign, size) = ((bits >> 16) as u16 & 0x8000, bits & 0x7fff_ffff);
    if x.is_nan() {
        return sign | 0x7e00;
    }
    let exponent = (size >> 23) as i32 - 112;
    if exponent > 30 {
        return sign | 0x7c00;
    }
    let mantissa = size & 0x007f_ffff | 0x0080_0000;
    let places = if exponent > 0 { 13 } else { (14 - exponent).min(25) };
    let kept = ((exponent.max(1) as u32 - 1) << 10) + (mantissa >> places);
    sign | kept as u16
}
