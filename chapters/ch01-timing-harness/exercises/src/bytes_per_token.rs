//! What one decode step has to read
//!
//! At least this much memory has to be read to decode one token that has `depth` tokens before it: the bytes of all weights, and for each
//! earlier token, in each layer, its row of keys and its row of values. A row has `head_dim` numbers for each
//! key-value head.
//!
//! For Qwen3-0.6B with a cache of f32 numbers (28 layers, 8 key-value heads, head_dim 128) an earlier token costs 224 KiB.
//!
//! Read: "Bytes for one token", in the book at ch01/roofline.html.
//! Hints: `chapters/ch01-timing-harness/exercises/hints/bytes_per_token/1.md`.
//! Run: `cargo test -p ch01-exercises bytes_per_token`

pub fn bytes_per_token(
    weight_bytes: u64,
    layers: u64,
    kv_heads: u64,
    head_dim: u64,
    bytes_per_number: u64,
    depth: u64,
) -> u64 {
    todo!()
}
