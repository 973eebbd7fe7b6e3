//? recognised: bytes_per_number is missing
//? why: Counts numbers, as if each had one byte.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, _, kv_heads, head_dim) = shape;
    let _ = bytes;
    memory.checked_div(2 * layers * kv_heads * head_dim)
}
