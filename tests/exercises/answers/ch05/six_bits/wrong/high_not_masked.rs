//? recognised: other groups
//? why: Shifts `high` and keeps what is above the two bits. Those bits belong to other groups, and fall into the upper part of the byte.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4)) & 15;
        let high_bits = high[half * 32 + place] >> (group * 2);
        ((low_bits | high_bits << 4) as i8).wrapping_sub(32)
    })
}
