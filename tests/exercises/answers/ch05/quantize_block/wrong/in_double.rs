//? recognised: in f32
//? why: Computes in f64 and rounds at the end. The more exact result is another integer where the reference's roundings cross a half.

use exercise_kit::f32_to_f16;

pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    if !x.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let d = f64::from(largest) / 127.0;
    let id = if (1.0 / d as f32).is_finite() { 1.0 / d } else { 0.0 };
    let mut block = [0; 34];
    block[..2].copy_from_slice(&f32_to_f16(d as f32).to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (f64::from(*x) * id).round() as i8 as u8;
    }
    Some(block)
}
