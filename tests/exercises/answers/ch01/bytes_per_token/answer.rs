//? title: What one decode step has to read
//? page: ch01/roofline.md
//? section: Bytes for one token
//? minutes: 15
//? call: check(answer::bytes_per_token)
//? hint 1: Two kinds of memory are read once for each token: what does not depend on the text, and what grows with it.
//? hint 2: All weights of the matrices; and for each of the `depth` earlier tokens a row of keys and a row of values in each layer. How wide is a row?
//? hint 3: `weight_bytes + 2 * layers * kv_heads * head_dim * bytes_per_number * depth`
//? why: The weights are the same for every token, so one token alone pays for reading all of them: that is why decoding is slow and
//?   why batching helps. The keys and values come on top and grow with the text: decode is not constant work.

//! At least this much memory has to be read to decode one token that has `depth` tokens before it: the bytes of all weights, and for each
//! earlier token, in each layer, its row of keys and its row of values. A row has `head_dim` numbers for each
//! key-value head.
//!
//! For Qwen3-0.6B with a cache of f32 numbers (28 layers, 8 key-value heads, head_dim 128) an earlier token costs 224 KiB.

pub fn bytes_per_token(
    weight_bytes: u64,
    layers: u64,
    kv_heads: u64,
    head_dim: u64,
    bytes_per_number: u64,
    depth: u64,
) -> u64 {
    //-- starter
    // todo!()
    //-- solution
    let row = kv_heads * head_dim * bytes_per_number;
    weight_bytes + 2 * layers * row * depth
    //-- end
}
