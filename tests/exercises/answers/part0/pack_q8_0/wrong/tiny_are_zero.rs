//? recognised: small numbers have a scale too
//? why: Takes numbers below a hundred thousandth for zeros. The smallest scale of 16 bits serves them still.

// x: [32] -> [34]
pub fn pack_q8_0(x: &[f32; 32]) -> [u8; 34] {
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    if largest < 1e-5 {
        return [0; 34];
    }
    let bits = exercise_kit::f32_to_f16(largest / 127.0);
    let scale = exercise_kit::f16_to_f32(bits);
    let mut block = [0; 34];
    block[..2].copy_from_slice(&bits.to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x / scale).round() as i8 as u8;
    }
    block
}
