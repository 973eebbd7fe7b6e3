//! The most likely token: equal scores, and scores that are no number
//!
//! Return the index of the largest score. Of equal ones the first wins. NaN never wins against a number, minus infinity
//! included. If all are NaN, or there is none at all, the answer is 0. It never panics.
//!
//! Read: "Greedy", in the book at ground/sampling.html.
//! Hints: `chapters/part0-exercises/hints/argmax/1.md`.
//! Run: `cargo test -p part0-exercises argmax`

// logits: [vocab]
pub fn argmax(logits: &[f32]) -> usize {
    todo!()
}
