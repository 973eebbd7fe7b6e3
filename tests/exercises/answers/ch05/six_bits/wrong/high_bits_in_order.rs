//? recognised: four neighbours
//? why: Takes four neighbours from each byte of `high`. The four integers of a byte are 32 places apart.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4)) & 15;
        let high_bits = (high[i / 4] >> (i % 4 * 2)) & 3;
        (low_bits | high_bits << 4) as i8 - 32
    })
}
