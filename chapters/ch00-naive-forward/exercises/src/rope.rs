//! Move a key that has been rotated already
//!
//! A conversation has become too long, and its oldest part is dropped. The keys of the rest are in the cache, each rotated to
//! its old position. Do not compute them again: move them.
//!
//! `key` is one head of a key, rotated to position `from` as on the page: number i and number i + head_dim / 2 are a point,
//! turned by position * theta^(-2 i / head_dim). Change it in place to what it would be if it had been rotated to
//! position `to`. `to` may be smaller than `from`, larger, or the same. Compute the angle in f64.
//!
//! Read: "Positions", in the book at ch00/positions.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/rope/1.md`.
//! Run: `cargo test -p ch00-exercises rope`

// key: [head_dim], head_dim even
pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    todo!()
}
