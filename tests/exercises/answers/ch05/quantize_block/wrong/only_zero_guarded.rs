//? recognised: 1 / d is infinite
//? why: Asks whether d is 0. A very small d is not 0, and yet 1 / d is infinite: every integer then becomes 127, -128 or 0.

use exercise_kit::f32_to_f16;

pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    if !x.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let d = largest / 127.0;
    let id = if d == 0.0 { 0.0 } else { 1.0 / d };
    let mut block = [0; 34];
    block[..2].copy_from_slice(&f32_to_f16(d).to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x * id).round() as i8 as u8;
    }
    Some(block)
}
