//? recognised: divided by zero
//? why: Asks whether there are no layers, and divides by zero when there are no key-value heads.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, _, kv_heads, head_dim) = shape;
    if layers == 0 {
        return None;
    }
    Some(memory / (2 * layers * kv_heads * head_dim * bytes))
}
