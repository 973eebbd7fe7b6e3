//! Move a key that has been rotated already
//!
//! An engine need not compute the keys of earlier tokens again for each new one: it can keep them, as we do from chapter 2 on.
//! Now a conversation has become too long, and some engines drop its oldest part. The keys that they keep are
//! rotated to their old positions. Do not compute them again: move them.
//!
//! `key` is one head of a key, rotated to position `from` as on the page: number i and number i + head_dim / 2 are a point,
//! turned by position * theta^(-2 i / head_dim). Change it in place to what it would be if it had been rotated to
//! position `to`. `to` may be smaller than `from`, larger, or the same. Compute the angle in f64.
//!
//! Level: core, about 30 minutes.
//! Read: "Positions", in the book at ch00/positions.html.
//! Run: `cargo run -- watch rope`, or once: `cargo test -p ch00-exercises rope`.
//! Stuck: `cargo run -- hint rope`. Done: `cargo run -- solution rope`. Start over: `cargo run -- reset rope`.

// key: [head_dim], head_dim even
pub fn move_key(key: &mut [f32], from: usize, to: usize, theta: f32) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(move_key) in "../../../../tests/exercises/answers/ch00/rope.rs");
