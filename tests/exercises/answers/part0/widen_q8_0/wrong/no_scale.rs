//? recognised: the scale is missing
//? why: the scale is missing

pub fn widen_q8_0(block: &[u8; 34]) -> [f32; 32] {
    std::array::from_fn(|i| f32::from(block[2 + i] as i8))
}
