//? recognised: no reader of the file
//? why: Divides by the exact scale. The stored one is rounded to 16 bits, and for large bytes the difference is a visible part of a step. Several real writers do this.

use exercise_kit::f32_to_f16;

pub fn pack_q8_0(x: &[f32; 32]) -> [u8; 34] {
    let largest = x.iter().fold(0.0f32, |m, x| m.max(x.abs()));
    let exact = largest / 127.0;
    let bits = f32_to_f16(exact);
    let mut block = [0; 34];
    block[..2].copy_from_slice(&bits.to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x / exact).round() as i8 as u8;
    }
    block
}
