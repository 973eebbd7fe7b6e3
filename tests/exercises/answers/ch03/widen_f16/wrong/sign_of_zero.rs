//? recognised: minus zero
//? why: Applies the sign only to numbers that are not zero, so minus zero becomes zero.

pub fn widen(bits: u16) -> f32 {
    let exponent = i32::from(bits >> 10 & 0x1f);
    let mantissa = f32::from(bits & 0x3ff) / 1024.0;
    let value = match exponent {
        0 => mantissa * 2f32.powi(-14),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1.0 + mantissa) * 2f32.powi(exponent - 15),
    };
    if bits & 0x8000 != 0 && value != 0.0 { -value } else { value }
}
