//! Causal attention for a chunk of queries behind a cache: key_count
//!
//! One head. The cache holds `seq_k` keys and values, the chunk's own among them. The chunk's queries are the tokens at
//! positions `q_base`, `q_base + 1`, ... Each query may see the keys of its own position and of all before:
//! `key_count = min(q_base + t + 1, seq_k)` rows for query `t`.
//!
//! Return the attention's result for each query: softmax((query . key) / sqrt(head_dim)) over the visible rows, times the values.
//! With `q_base = 0` and as many queries as keys this is the prompt's causal attention; with one query it is decoding.
//!
//! Read: "Queries and keys of different lengths", in the book at ch02/model.html.
//! Hints: `chapters/ch02-kv-cache/exercises/hints/attend_chunk/1.md`.
//! Run: `cargo test -p ch02-exercises attend_chunk`

// queries: [seq_q, head_dim], keys, values: [seq_k, head_dim] -> [seq_q, head_dim]
pub fn attend_chunk(
    queries: &[f32],
    keys: &[f32],
    values: &[f32],
    head_dim: usize,
    q_base: usize,
) -> Vec<f32> {
    todo!()
}
