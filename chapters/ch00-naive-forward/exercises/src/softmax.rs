//! A softmax that survives large inputs
//!
//! Turn scores into weights, in place: weight = exp(score) / sum of exp(all scores). Weights are 0 or more and their sum is 1.
//!
//! The scores may be large (200), very negative (-200) or minus infinity (weight 0); at least one is finite. The result is
//! never NaN.
//!
//! Read: "Softmax", in the book at ch00/attention.html.
//! Hints: `chapters/ch00-naive-forward/exercises/hints/softmax/1.md`.
//! Run: `cargo test -p ch00-exercises softmax`

// scores: [n], n >= 1
pub fn softmax(scores: &mut [f32]) {
    todo!()
}
