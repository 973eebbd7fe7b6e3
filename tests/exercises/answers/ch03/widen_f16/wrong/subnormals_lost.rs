//? recognised: subnormal
//? why: Returns zero for every number with exponent 0. The 1,023 subnormal numbers of each sign are lost.

pub fn widen(bits: u16) -> f32 {
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let mantissa = u32::from(bits & 0x3ff);
    f32::from_bits(match exponent {
        0 => sign,
        31 => sign | 255 << 23 | mantissa << 13,
        _ => sign | (exponent + 112) << 23 | mantissa << 13,
    })
}
