//? recognised: 32 bits
//? why: Multiplies in 32 bits, and panics where a position of a very large model does not fit.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    let _ = heads;
    let position = u64::from(
        2 * layers as u32 * kv_heads as u32 * head_dim as u32 * bytes_per_number as u32,
    );
    memory.checked_div(position)
}
