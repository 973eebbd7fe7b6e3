//? recognised: an alignment may be
//? why: Cuts the alignment to 32 bits. 2<sup>32</sup> + 24 becomes 24.

// sizes: [n] -> [n]
pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut end = 0u64;
    sizes
        .iter()
        .map(|size| {
            let start = end.next_multiple_of(u64::from(alignment as u32));
            end = start + size;
            start
        })
        .collect()
}
