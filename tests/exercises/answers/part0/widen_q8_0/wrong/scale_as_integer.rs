//? recognised: as an integer
//? why: as an integer

pub fn widen_q8_0(block: &[u8; 34]) -> [f32; 32] {
    let scale = f32::from(u16::from_le_bytes([block[0], block[1]]));
    std::array::from_fn(|i| scale * f32::from(block[2 + i] as i8))
}
