//! How long a guess should be
//!
//! A pass computes a row for the last token of a text, and one more for each token that's guessed. Over `r` rows it takes as
//! long as `cost[r - 1]` passes over a single one, so `cost[0]` is 1. As long as all guesses before it were right, the next
//! one is right with the probability `p`, from 0 to 1. After the first wrong one, nothing counts any more. A pass always
//! brings one token more than guesses that came true.
//!
//! Return how many tokens to guess for the most tokens in the same time, on average. The pass can't have more rows than
//! `cost` has numbers, and not guessing at all is allowed: then it's 0. Of several lengths that are equally good, return the
//! shortest.
//!
//! Level: core, about 30 minutes.
//! Read: "What a pass brings", in the book at ch14/pays.html.
//! Run: `cargo run -- watch gain`, or once: `cargo test -p ch14-exercises gain`.
//! Stuck: `cargo run -- hint gain`. Done: `cargo run -- solution gain`. Start over: `cargo run -- reset gain`.

pub fn best_length(cost: &[f64], p: f64) -> usize {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(best_length) in "../../../../tests/exercises/answers/ch14/gain.rs");
