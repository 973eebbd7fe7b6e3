//? recognised: two zeros
//? why: Returns 0 for what is too small for sixteen bits, and forgets its sign.

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
    if exponent < -10 {
        return 0;
    }
    let mantissa = size & 0x007f_ffff | 0x0080_0000;
    let places = if exponent > 0 { 13 } else { (14 - exponent).min(25) };
    let kept = ((exponent.max(1) as u32 - 1) << 10) + (mantissa >> places);
    let (rest, half) = (mantissa & ((1 << places) - 1), 1 << (places - 1));
    let up = rest > half || (rest == half && kept % 2 == 1);
    sign | (kept + u32::from(up)) as u16
}
