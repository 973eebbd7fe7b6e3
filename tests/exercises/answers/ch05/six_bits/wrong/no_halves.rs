//? recognised: as if the block had no halves
//? why: Lays the groups through the whole block: the low halves of all 128 bytes first, then the high halves, and 64 integers for every two high bits. The block has two halves, and each has its groups.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (low[i % 128] >> (i / 128 * 4)) & 15;
        let high_bits = (high[i % 64] >> (i / 64 * 2)) & 3;
        (low_bits | high_bits << 4) as i8 - 32
    })
}
