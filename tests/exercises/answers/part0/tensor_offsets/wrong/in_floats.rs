//? recognised: 53 bits
//? why: Rounds up with floats. An offset in a very large file needs more bits than a float has.

// sizes: [n] -> [n]
pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    let mut end = 0u64;
    sizes
        .iter()
        .map(|size| {
            let start = (end as f64 / alignment as f64).ceil() as u64 * alignment;
            end = start + size;
            start
        })
        .collect()
}
