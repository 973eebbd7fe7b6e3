//! The same dot product with vector instructions
//!
//! The dot product of `dot_lanes`, to the bit, with the vector instructions of this CPU: AVX2 and FMA on x86-64
//! (`std::arch::x86_64`), NEON on aarch64. Where the CPU has none of them the plain loops are the answer, so this
//! exercise can be done everywhere; the check cannot see which way was taken, only that the bits are right.
//!
//! - 16 lanes with fused multiply-add, tail padded with zeros, fold j + 8, j + 4, j + 2, j + 1.
//! - Slices may begin at any address that is a multiple of 4. Nothing before or after them is read: there may be no memory.
//! - `unsafe` is allowed in this file. Say at each block why it is sound.
//!
//! Level: deep, about 120 minutes.
//! Read: "Sixteen lanes in two registers", in the book at ch03/avx2.html.
//! Run: `cargo run -- watch dot_simd`, or once: `cargo test -p ch03-exercises dot_simd`.
//! Stuck: `cargo run -- hint dot_simd`. Done: `cargo run -- solution dot_simd`. Start over: `cargo run -- reset dot_simd`.

// x: [n], w: [n]
pub fn dot(x: &[f32], w: &[f32]) -> f32 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(dot) in "../../../../tests/exercises/answers/ch03/dot_simd.rs");
