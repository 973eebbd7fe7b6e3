//? recognised: rounded down
//? why: Rounds down, so every number becomes smaller by half a step on average. Added up over a row, this does not cancel.

use exercise_kit::f32_to_f16;

pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    if !x.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let d = largest / 127.0;
    let id = 1.0 / d;
    let id = if id.is_finite() { id } else { 0.0 };
    let mut block = [0; 34];
    block[..2].copy_from_slice(&f32_to_f16(d).to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x * id).floor() as i8 as u8;
    }
    Some(block)
}
