//? recognised: stops at the largest number
//? why: Lets the function of the kit do it, which was made for scales: it knows no sign, and nothing above 65504.

pub fn nearest_even(x: f32) -> u16 {
    let sign = if x.is_sign_negative() { 0x8000 } else { 0 };
    if x.is_nan() {
        return sign | 0x7e00;
    }
    sign | exercise_kit::f32_to_f16(x.abs())
}
