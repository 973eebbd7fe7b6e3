//! A dot product with one shape for every CPU
//!
//! The sum of x[k] * w[k] in the fixed shape of this course:
//!
//! - 16 lanes, all 0.0 at first. Lane j takes x[16 i + j] * w[16 i + j] for i = 0, 1, 2, ... in this order, each
//!   by one fused multiply-add: `x.mul_add(w, lane)`.
//! - If the length is no multiple of 16, the last block is padded with zeros in both: the missing products are 0 * 0.
//! - The 16 lanes are folded: j with j + 8, then j + 4, j + 2, j + 1.
//!
//! The check compares bits, for all lengths from 0 to 129.
//!
//! Level: core, about 30 minutes.
//! Read: "The tree of sums", in the book at ch03/lanes.html.
//! Run: `cargo run -- watch dot_lanes`, or once: `cargo test -p ch03-exercises dot_lanes`.
//! Stuck: `cargo run -- hint dot_lanes`. Done: `cargo run -- solution dot_lanes`. Start over: `cargo run -- reset dot_lanes`.

// x: [n], w: [n]
pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(dot) in "../../../../tests/exercises/answers/ch03/dot_lanes.rs");
