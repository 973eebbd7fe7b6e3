//? recognised: bfloat16

pub fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}
