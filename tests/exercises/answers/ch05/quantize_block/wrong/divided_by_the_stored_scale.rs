//? recognised: before it was rounded to 16 bits
//? why: Divides by the scale as it is stored, as `pack_q8_0` does. The numbers come back nearer to what they were, and many bytes are not those of the reference. Where the stored scale is 0, the integers become 127 and -128.

use exercise_kit::{f16_to_f32, f32_to_f16};

pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    if !x.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let d = largest / 127.0;
    let scale = f16_to_f32(f32_to_f16(d));
    let mut block = [0; 34];
    block[..2].copy_from_slice(&f32_to_f16(d).to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x / scale).round() as i8 as u8;
    }
    Some(block)
}
