//? recognised: only the keys
//? why: Counts the keys and forgets the values, so twice as many positions seem to fit.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, _, kv_heads, head_dim) = shape;
    memory.checked_div(layers * kv_heads * head_dim * bytes)
}
