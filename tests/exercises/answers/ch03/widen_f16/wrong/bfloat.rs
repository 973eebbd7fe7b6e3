//? recognised: bfloat16
//? why: Moves all bits up by 16. That is right for BF16, which is another type.

pub fn widen(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}
