//? recognised: groups 0 and 1 have the low halves
//? why: Reads the low bits as in Q4_K, where groups 0 and 1 share 32 bytes. In Q6_K groups 0 and 2 do.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (low[half * 64 + group / 2 * 32 + place] >> (group % 2 * 4)) & 15;
        let high_bits = (high[half * 32 + place] >> (group * 2)) & 3;
        (low_bits | high_bits << 4) as i8 - 32
    })
}
