//? recognised: the first two bytes
//? why: the first two bytes

pub fn widen_q8_0(block: &[u8; 34]) -> [f32; 32] {
    let scale = exercise_kit::f16_to_f32(u16::from_le_bytes([block[32], block[33]]));
    std::array::from_fn(|i| scale * f32::from(block[i] as i8))
}
