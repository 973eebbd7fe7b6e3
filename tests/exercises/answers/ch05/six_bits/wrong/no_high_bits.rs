//? recognised: `high` was not used
//? why: Uses the low four bits only. Every integer is then one of the 16 smallest.

pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    std::array::from_fn(|i| {
        let (half, group, place) = (i / 128, i / 32 % 4, i % 32);
        let low_bits = (low[half * 64 + group % 2 * 32 + place] >> (group / 2 * 4)) & 15;
        let high_bits = (high[half * 32 + place] >> (group * 2)) & 3;
        let _ = high_bits;
        low_bits as i8 - 32
    })
}
