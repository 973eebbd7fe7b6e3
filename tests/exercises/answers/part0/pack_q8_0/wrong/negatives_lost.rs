//? recognised: below 0?
//? why: Casts a negative float to `u8`. Such a cast stops at 0, so every negative number is lost.

use exercise_kit::{f16_to_f32, f32_to_f16};

pub fn pack_q8_0(x: &[f32; 32]) -> [u8; 34] {
    let largest = x.iter().fold(0.0f32, |m, x| m.max(x.abs()));
    let bits = f32_to_f16(largest / 127.0);
    let scale = f16_to_f32(bits);
    let mut block = [0; 34];
    block[..2].copy_from_slice(&bits.to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x / scale).round() as u8;
    }
    block
}
