//? recognised: divided by 128
//? why: Divides by 128, because a signed byte goes down to -128. It goes up to 127 only, and the largest number does not fit.

use exercise_kit::f32_to_f16;

pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    if !x.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let d = largest / 128.0;
    let id = 1.0 / d;
    let id = if id.is_finite() { id } else { 0.0 };
    let mut block = [0; 34];
    block[..2].copy_from_slice(&f32_to_f16(d).to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x * id).round() as i8 as u8;
    }
    Some(block)
}
