//! A norm with a fault
//!
//! This function should norm every head of a query or key by itself, in place: `x` is one token's row `[heads, head_dim]`,
//! `weight` is `[head_dim]` and the same for all heads.
//!
//! x[i] = x[i] / sqrt(mean of x[j]^2 over the head + eps) * weight[i]
//!
//! It compiles, and a model with it writes text. It has one fault. Find it with the help of the test, and mend it. The test
//! tells you the symptom; keep the rest of the function as it is.
//!
//! Read: "RMSNorm", in the book at ch00/layer.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/rms_norm/1.md`.
//! Run: `cargo test -p ch00-exercises rms_norm`

// x: [heads, head_dim], weight: [head_dim]
pub fn rms_norm_heads(x: &mut [f32], weight: &[f32], eps: f32) {
    for head in x.chunks_exact_mut(weight.len()) {
        for i in 0..weight.len() {
            let squares: f32 = head.iter().map(|x| x * x).sum();
            let mean = squares / weight.len() as f32;
            head[i] *= weight[i] / (mean + eps).sqrt();
        }
    }
}
