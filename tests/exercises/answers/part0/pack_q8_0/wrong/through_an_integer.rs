//? recognised: keeps the low bits
//? why: Casts to i32 first and cuts that to a byte. The smallest numbers have a scale that was rounded down by a third: 189 steps become -67.

use exercise_kit::{f16_to_f32, f32_to_f16};
pub fn pack_q8_0(x: &[f32; 32]) -> [u8; 34] {
    let mut out = [0u8; 34];
    let largest = x.iter().fold(0.0f32, |m, v| m.max(v.abs()));
    let bits = f32_to_f16(largest / 127.0);
    let scale = f16_to_f32(bits);
    out[..2].copy_from_slice(&bits.to_le_bytes());
    if scale == 0.0 {
        return out;
    }
    for (o, v) in out[2..].iter_mut().zip(x) {
        *o = (v / scale).round() as i32 as u8;
    }
    out
}
