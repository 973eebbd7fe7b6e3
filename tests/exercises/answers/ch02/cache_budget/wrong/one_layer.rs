//? recognised: one layer
//? why: Counts one layer. Each layer has keys and values of its own.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (_, _, kv_heads, head_dim) = shape;
    memory.checked_div(2 * kv_heads * head_dim * bytes)
}
