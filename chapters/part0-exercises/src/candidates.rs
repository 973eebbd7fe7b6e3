//! Top-k and top-p: which tokens may be drawn
//!
//! Return the ids that may be drawn, most likely first, equal ones by lower id first:
//!
//! - top-k: the `top_k` most likely ones; 0 means all.
//! - then top-p: of these the smallest set, most likely first, whose probabilities sum to at least `top_p` times the
//!   sum of all that top-k left. 1.0 means all, and there is always at least one id.
//!
//! `probabilities` holds no NaN and at least one number; `top_p` is from 0 to 1.
//!
//! Read: "Top-k and top-p", in the book at ground/sampling.html.
//! Hints: `chapters/part0-exercises/hints/candidates/1.md`.
//! Run: `cargo test -p part0-exercises candidates`

// probabilities: [vocab]
pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    todo!()
}
