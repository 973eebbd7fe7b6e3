//? recognised: counted with the query heads
//? why: Returns `None` for a model without query heads. Only what is stored takes memory.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    if heads == 0 {
        return None;
    }
    let position = 2 * layers * kv_heads * head_dim * bytes_per_number;
    memory.checked_div(position)
}
