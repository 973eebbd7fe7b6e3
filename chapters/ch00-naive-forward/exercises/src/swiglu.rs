//! The gate of the MLP: SwiGLU
//!
//! Between its two products the MLP has a gate: result[i] = silu(gate[i]) * up[i], where silu(x) = x * sigmoid(x) and
//! sigmoid(x) = 1 / (1 + exp(-x)). Gates of -200 and +200 are nothing special and must not give NaN.
//!
//! Read: "The MLP", in the book at ch00/layer.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/swiglu/1.md`.
//! Run: `cargo test -p ch00-exercises swiglu`

// gate, up: [ffn] -> [ffn]
pub fn swiglu(gate: &[f32], up: &[f32]) -> Vec<f32> {
    todo!()
}
