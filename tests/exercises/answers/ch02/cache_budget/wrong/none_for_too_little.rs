//? recognised: too little memory
//? why: Returns `None` when not even one position fits. That is a number of positions too: 0.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    let _ = heads;
    let position = 2 * layers * kv_heads * head_dim * bytes_per_number;
    memory.checked_div(position).filter(|n| *n > 0)
}
