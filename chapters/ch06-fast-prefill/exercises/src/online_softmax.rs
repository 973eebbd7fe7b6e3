//! A softmax that goes through its keys in blocks
//!
//! Attention mixes values by the softmax of their scores. Here the keys come in blocks, and the scores of a block are gone
//! when the next one comes. (The exercise `softmax` of chapter 0 did this one key at a time.) What is known of all blocks so
//! far is in three places:
//!
//! - `largest`: the largest score. Before the first block it is minus infinity.
//! - `sum`: the sum of all weights. Before the first block it is 0.
//! - `mixed`: each column's sum of weight * value. Before the first block it is all 0.
//!
//! `next_block` takes a block with its scores and values, and brings the three up to date. `result` returns what the softmax
//! over all keys so far would have given: for each column the sum of softmax(scores)[key] * value[key].
//!
//! The check asks for the result after each block, and compares it with a softmax in `f64` over all keys at once: the
//! difference may be a hundred thousandth. Blocks have any length. One may be empty, even the first. Scores are finite, and
//! go up to 3e38 and down to -3e38.
//!
//! Level: deep, about 30 minutes.
//! Read: "One step", in the book at ch06/pieces.html.
//! Run: `cargo run -- watch online_softmax`, or once: `cargo test -p ch06-exercises online_softmax`.
//! Stuck: `cargo run -- hint online_softmax`. Done: `cargo run -- solution online_softmax`. Start over: `cargo run -- reset online_softmax`.

// mixed: [width], scores: [keys], values: [keys, width]
pub fn next_block(
    largest: &mut f32,
    sum: &mut f32,
    mixed: &mut [f32],
    scores: &[f32],
    values: &[f32],
) {
    todo!()
}

// mixed: [width] -> [width]
pub fn result(sum: f32, mixed: &[f32]) -> Vec<f32> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(next_block, result) in "../../../../tests/exercises/answers/ch06/online_softmax.rs");
