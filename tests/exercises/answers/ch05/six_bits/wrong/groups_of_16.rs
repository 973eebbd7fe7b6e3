//? recognised: groups of 32
//? why: Takes groups of 16, because 16 integers share a scale. The bits are laid out in groups of 32.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 16 % 4, i / 64 % 2 * 16 + i % 16);
        let low_bits = (low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4)) & 15;
        let high_bits = (high[half * 32 + place] >> (group * 2)) & 3;
        (low_bits | high_bits << 4) as i8 - 32
    })
}
