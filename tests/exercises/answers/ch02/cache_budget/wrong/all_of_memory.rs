//? recognised: not a number
//? why: Avoids the division by zero with `max(1)`. A position of no bytes would then fit as often as there are bytes.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, _, kv_heads, head_dim) = shape;
    Some(memory / (2 * layers * kv_heads * head_dim * bytes).max(1))
}
