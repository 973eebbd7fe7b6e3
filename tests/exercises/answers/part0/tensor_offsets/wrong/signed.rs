//? recognised: 64 bits without a sign
//? why: Computes with signed numbers, which end at 2<sup>63</sup>.

// sizes: [n] -> [n]
pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut end = 0u64;
    sizes
        .iter()
        .map(|size| {
            let start = ((end as i64 + (alignment as i64 - 1)) / alignment as i64
                * alignment as i64) as u64;
            end = start + size;
            start
        })
        .collect()
}
