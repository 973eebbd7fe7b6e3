//! Causal attention with shared heads
//!
//! `q` is `[rows, heads, head_dim]`, `k` and `v` are `[rows, kv_heads, head_dim]`, all row-major; norm and rotation are done.
//! For every token t and query head h: scores against the keys of tokens 0 to t (its own included), each divided by
//! sqrt(head_dim), softmax, and the sum of the values with these weights. Neighbouring query heads share a key-value head.
//!
//! Return `[rows, heads, head_dim]`.
//!
//! Level: deep, about 60 minutes.
//! Read: "Attention, key by key", in the book at ch00/attention.html.
//! Run: `cargo run -- watch causal_attention`, or once: `cargo test -p ch00-exercises causal_attention`.
//! Stuck: `cargo run -- hint causal_attention`. Done: `cargo run -- solution causal_attention`. Start over: `cargo run -- reset causal_attention`.

pub fn causal_attention(
    q: &[f32], // [rows, heads, head_dim]
    k: &[f32], // [rows, kv_heads, head_dim]
    v: &[f32], // [rows, kv_heads, head_dim]
    heads: usize,
    kv_heads: usize,
    head_dim: usize,
) -> Vec<f32> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(causal_attention) in "../../../../tests/exercises/answers/ch00/causal_attention.rs");
