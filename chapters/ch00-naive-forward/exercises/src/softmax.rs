//! A softmax in one pass, which forgets the scores
//!
//! Attention wants the mean of some values, weighted by the softmax of their scores. The page computes all scores first. Here
//! they come one at a time, each with its value, and there is no room to keep them:
//!
//! - `push(score, value)` takes a score and its value.
//! - `mean()` is the weighted mean of all values so far: sum of softmax(scores)[i] * value[i].
//!
//! `Running` must be `Copy` and take at most 64 bytes, so it cannot hold a list. Scores may be any finite number, or minus
//! infinity (a weight of 0). The check asks for `mean()` after every push, from the first finite score on, and it must never be
//! NaN. Messages count the pushes from 0.
//!
//! Level: core, about 40 minutes.
//! Read: "Softmax", in the book at ch00/attention.html.
//! Run: `cargo run -- watch softmax`, or once: `cargo test -p ch00-exercises softmax`.
//! Stuck: `cargo run -- hint softmax`. Done: `cargo run -- solution softmax`. Start over: `cargo run -- reset softmax`.

#[derive(Clone, Copy)]
pub struct Running {
    // The fields are yours to choose.
}

impl Running {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Running {
        todo!()
    }

    pub fn push(&mut self, score: f32, value: f32) {
        todo!()
    }

    pub fn mean(&self) -> f32 {
        todo!()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(Running::new, Running::push, Running::mean) in "../../../../tests/exercises/answers/ch00/softmax.rs");
