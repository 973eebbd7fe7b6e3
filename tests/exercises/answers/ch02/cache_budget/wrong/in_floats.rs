//? recognised: 53 bits
//? why: Divides floats and cuts the fraction off. A float cannot hold every number of bytes.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    let _ = heads;
    let position = 2 * layers * kv_heads * head_dim * bytes_per_number;
    (position > 0).then(|| (memory as f64 / position as f64) as u64)
}
