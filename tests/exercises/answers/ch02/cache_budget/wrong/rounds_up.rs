//? recognised: rounded up
//? why: Rounds up. The last position would not fit.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, _, kv_heads, head_dim) = shape;
    let position = 2 * layers * kv_heads * head_dim * bytes;
    if position == 0 { None } else { Some(memory.div_ceil(position)) }
}
