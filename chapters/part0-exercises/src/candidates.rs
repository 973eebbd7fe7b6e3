//! Top-k and top-p that treat equal tokens alike
//!
//! The book cuts equally likely tokens by their ids: of two that are equal, the lower id may be drawn and the other may not.
//! Write the fairer rule, which does not look at ids:
//!
//! - top-k: the `top_k` most likely ones, and all that are exactly as likely as the last of these. 0 means all.
//! - then top-p: of these the smallest set, most likely first, whose probabilities sum to at least `top_p` times the
//!   sum of all that top-k left; and again all that are exactly as likely as the last one in it. 1.0 means all.
//!
//! Return the ids, most likely first, equal ones by lower id first. There is always at least one. `probabilities`
//! holds no NaN and at least one number; they need not sum to 1. `top_p` is from 0 to 1.
//!
//! Level: deep, about 45 minutes.
//! Read: "Top-k and top-p", in the book at ground/sampling.html.
//! Run: `cargo run -- watch candidates`, or once: `cargo test -p part0-exercises candidates`.
//! Stuck: `cargo run -- hint candidates`. Done: `cargo run -- solution candidates`. Start over: `cargo run -- reset candidates`.

// probabilities: [vocab]
pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(candidates) in "../../../tests/exercises/answers/part0/candidates.rs");
