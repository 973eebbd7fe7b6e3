//! Where it went on the last time
//!
//! A text is written token by token. Say after each of its tokens where it went on *the last time*. The text so far ends in
//! three tokens: find the last time before that these three came one after the other, and return the place of the token that
//! followed them. Places count from 0.
//!
//! Return one answer for each token, in their order. It's `None` if the three tokens have never been there before, or if there
//! aren't three yet. Each answer knows only what was written by then: the token that followed has to be there already.
//!
//! For `[1, 2, 3, 1, 2, 3, 1]` that's `[None, None, None, None, None, Some(3), Some(4)]`.
//!
//! Level: warm-up, about 20 minutes.
//! Read: "Where it went on", in the book at ch14/guess.html.
//! Run: `cargo run -- watch grams`, or once: `cargo test -p ch14-exercises grams`.
//! Stuck: `cargo run -- hint grams`. Done: `cargo run -- solution grams`. Start over: `cargo run -- reset grams`.

pub fn places(ids: &[u32]) -> Vec<Option<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(places) in "../../../../tests/exercises/answers/ch14/grams.rs");
