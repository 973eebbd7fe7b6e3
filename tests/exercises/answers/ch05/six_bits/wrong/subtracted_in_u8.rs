//? recognised: is no u8
//? why: Subtracts 32 from a `u8`, and casts after that. For the integers below zero the subtraction overflows.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4)) & 15;
        let high_bits = (high[half * 32 + place] >> (group * 2)) & 3;
        ((low_bits | high_bits << 4) - 32) as i8
    })
}
