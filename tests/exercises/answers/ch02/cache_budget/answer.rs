//? title: How many positions fit into a given amount of memory
//? page: ch02/result.md
//? section: What a row costs
//? level: warm-up
//? minutes: 10
//? call: check(answer::positions_that_fit)
//? hint 1: First the bytes of one position: what is stored for it, in one layer, by one key-value head?
//? hint 2: Keys and values are two arrays. Query heads are not stored, so their number does not matter.
//? hint 3: `2 * layers * kv_heads * head_dim * bytes_per_number` is one position; the rest is a division that drops the fraction.
//? why: The cache keeps what later tokens look at: the keys and values of key-value heads. The queries of the past are not
//?   needed again, so `heads` is not in the formula. Part of a position cannot be used, so the division rounds down, as
//?   integer division does. All of it is in `u64`, because 4 GiB do not fit into 32 bits.

//! A cache keeps, for every position, one row of keys and one of values in each layer. A row has `head_dim` numbers
//! for each key-value head, and a number has `bytes_per_number` bytes.
//!
//! Return how many positions fit into `memory` bytes. A model whose position costs nothing (no layers, say) has no
//! such number: return `None`.
//!
//! For Qwen3-0.6B with f32 numbers: 28 layers, 16 heads, 8 key-value heads, head_dim 128; 1 GiB holds 4681 positions.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    //-- starter
    // todo!()
    //-- solution
    let _ = heads;
    let position = 2 * layers * kv_heads * head_dim * bytes_per_number;
    memory.checked_div(position)
    //-- end
}
