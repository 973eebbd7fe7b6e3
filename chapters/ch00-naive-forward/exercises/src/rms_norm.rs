//! A norm with a fault
//!
//! This function should norm each piece of a row by itself, in place. The pieces follow one another in `x` and all have the
//! length of `weight`: they share this one weight. The code calls a piece a head, and its length `head_dim`.
//! (A later page says what heads are for.)
//!
//! x[i] = x[i] / sqrt(mean of x[j]^2 over its piece + eps) * weight[i]
//!
//! It compiles, and a model with it writes text. It has one fault. Find it with the help of the test, and mend it. The test
//! tells you the symptom; keep the rest of the function as it is.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "RMSNorm", in the book at ch00/layer.html.
//! Run: `cargo run -- watch rms_norm`, or once: `cargo test -p ch00-exercises rms_norm`.
//! Stuck: `cargo run -- hint rms_norm`. Done: `cargo run -- solution rms_norm`. Start over: `cargo run -- reset rms_norm`.

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

// The test. It stays here.
exercise_kit::exercise!(check(rms_norm_heads) in "../../../../tests/exercises/answers/ch00/rms_norm.rs");
