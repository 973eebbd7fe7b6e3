//? recognised: query heads
//? why: Counts query heads. Only key-value heads are stored: that is the point of sharing them.

pub fn positions_that_fit(memory: u64, shape: (u64, u64, u64, u64), bytes: u64) -> Option<u64> {
    let (layers, heads, _, head_dim) = shape;
    memory.checked_div(2 * layers * heads * head_dim * bytes)
}
