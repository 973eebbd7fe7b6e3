//! GELU with one exponential
//!
//! Gemma's gates are GELU, in this form:
//!
//! ```text
//! gelu(x) = x / 2 · (1 + tanh(y))     with y = √(2 / π) · (x + 0.044715 · x³)
//! ```
//!
//! Write it without `tanh`, with a single call of `exp`. It has to be right for every number that isn't infinite: very large
//! ones stay as they are, and very negative ones become 0. An error of 0.00001 is allowed, and for results larger than 1 so
//! much of the result.
//!
//! Level: core, about 25 minutes.
//! Read: "Gates", in the book at ch15/gemma.html.
//! Run: `cargo run -- watch gelu`, or once: `cargo test -p ch15-exercises gelu`.
//! Stuck: `cargo run -- hint gelu`. Done: `cargo run -- solution gelu`. Start over: `cargo run -- reset gelu`.

pub fn gelu(x: f32) -> f32 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(gelu) in "../../../../tests/exercises/answers/ch15/gelu.rs");
