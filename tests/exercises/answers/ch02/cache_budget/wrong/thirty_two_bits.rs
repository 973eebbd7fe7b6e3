//? recognised: 32 bits
//? why: Casts the memory to 32 bits. 64 GiB are then 0.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, _, kv_heads, head_dim) = shape;
    (memory as u32 as u64).checked_div(2 * layers * kv_heads * head_dim * bytes)
}
