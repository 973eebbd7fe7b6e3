//! Rotary positions: two halves of a head, at an absolute position
//!
//! Rotate one head of a query or key, in place, to its position. Half-split pairing, as Qwen3 has it: number i and number i +
//! head_dim / 2 are the two coordinates of a point, for i below head_dim / 2, and the point is turned by
//!
//! angle = position * theta^(-2 i / head_dim)
//!
//! (a, b) becomes (a cos - b sin, a sin + b cos). `position` is the token's place in the whole text, from 0. Compute the
//! angle in f32 or better.
//!
//! Read: "Positions", in the book at ch00/positions.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/rope/1.md`.
//! Run: `cargo test -p ch00-exercises rope`

// head: [head_dim], head_dim even
pub fn rope(head: &mut [f32], position: usize, theta: f32) {
    todo!()
}
