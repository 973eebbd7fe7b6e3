//! One query attends to the cache, without a mask; and a sliding window
//!
//! One head, one token. Its key and value are already in the cache, as the last rows. Attend:
//!
//! score of a row = (query . key) / sqrt(head_dim), weights = softmax(scores), result = sum of weight * value.
//!
//! `window` says how many rows, counted from the newest, the query may see: `window >= rows` is ordinary
//! attention, a smaller one is the sliding window of models such as Mistral. `window` is at least 1.
//!
//! Level: core, about 30 minutes.
//! Read: "One query needs no mask", in the book at ch02/model.html.
//! Run: `cargo run -- watch attend_one`, or once: `cargo test -p ch02-exercises attend_one`.
//! Stuck: `cargo run -- hint attend_one`. Done: `cargo run -- solution attend_one`. Start over: `cargo run -- reset attend_one`.

// query: [head_dim], keys, values: [rows, head_dim] -> [head_dim]
pub fn attend_one(query: &[f32], keys: &[f32], values: &[f32], window: usize) -> Vec<f32> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(attend_one) in "../../../../tests/exercises/answers/ch02/attend_one.rs");
