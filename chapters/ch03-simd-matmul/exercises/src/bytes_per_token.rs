//! Predict what one decode step reads, and let an engine count
//!
//! A counting engine (`exercise_kit::counting`) decodes one token that has `depth` tokens before it. It notes every number
//! that it reads from memory: weights, those of the norms included, and keys and values of the earlier tokens. Each
//! number is an f32, and counts once, however often it is used. The token's own key and value are not counted:
//! they have just been computed.
//!
//! Predict the count, in bytes, from the shape alone. The check runs the engine and compares.
//!
//! The fields of `Shape` are `layers`, `hidden` (the numbers of a hidden state), `ffn` (the inner width of the MLP), `heads`,
//! `kv_heads`, `head_dim` and `vocab`, all of them `u64`. The last one, `tied`, is a `bool`: it is true if the output head,
//! which makes the logits, is the embedding matrix itself, and false if the head is a matrix of its own.
//!
//! Level: core, about 30 minutes.
//! Read: "Bytes for one token", in the book at ch03/roofline.html.
//! Run: `cargo run -- watch bytes_per_token`, or once: `cargo test -p ch03-exercises bytes_per_token`.
//! Stuck: `cargo run -- hint bytes_per_token`. Done: `cargo run -- solution bytes_per_token`. Start over: `cargo run -- reset bytes_per_token`.

use exercise_kit::counting::Shape;

pub fn bytes_per_token(shape: &Shape, depth: u64) -> u64 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(bytes_per_token) in "../../../../tests/exercises/answers/ch03/bytes_per_token.rs");
