//! RMSNorm of each head
//!
//! Qwen3 norms the queries and keys of every head before it rotates them. `x` is one token's row `[heads, head_dim]`,
//! `weight` is `[head_dim]` and the same for all heads. In place, for each head alone:
//!
//! x[i] = x[i] / sqrt(mean of x[j]^2 over the head + eps) * weight[i]
//!
//! Read: "RMSNorm", in the book at ch00/product.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/rms_norm/1.md`.
//! Run: `cargo test -p ch00-exercises rms_norm`

// x: [heads, head_dim], weight: [head_dim]
pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    todo!()
}
