//? recognised: 64 bytes of its own
//? why: Reads the low bits as in Q4_0: the low halves of all bytes first, and then the high halves. In Q6_K each half of the block does that with its 64 bytes.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (low[i % 128] >> (i / 128 * 4)) & 15;
        let high_bits = (high[half * 32 + place] >> (group * 2)) & 3;
        (low_bits | high_bits << 4) as i8 - 32
    })
}
