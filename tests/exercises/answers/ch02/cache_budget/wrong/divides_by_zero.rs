//? recognised: divided by zero
//? why: Divides without looking. A model without layers or key-value heads ends the program.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, _, kv_heads, head_dim) = shape;
    Some(memory / (2 * layers * kv_heads * head_dim * bytes))
}
