//! What stays after a pass
//!
//! A text has `known` tokens, at least one, and all but the last have rows in its table. A pass has computed a row for the last
//! one too, and one for each token of `guess`: so the table has `known + guess.len()` rows now. `drawn` says for each row of
//! the pass, in order, what the sampler draws from it if it's asked: one more than was guessed. The answer is over after the
//! token `end`, if there is one, and `end` is a part of it. At most `left` more tokens may be written, and `left` is at least 1.
//!
//! Return the text's new tokens and how many rows of its table may stay.
//!
//! - The new tokens are those that passes without any guess would have drawn, as far as the rows of this one say.
//! - Afterwards it's as before: all of the text's tokens have rows but the last one, which is computed in the next pass.
//!
//! Level: core, about 30 minutes.
//! Read: "What stays", in the book at ch14/check.html.
//! Run: `cargo run -- watch kept`, or once: `cargo test -p ch14-exercises kept`.
//! Stuck: `cargo run -- hint kept`. Done: `cargo run -- solution kept`. Start over: `cargo run -- reset kept`.

pub fn kept(
    known: usize,
    guess: &[u32],
    drawn: &[u32],
    end: Option<u32>,
    left: usize,
) -> (Vec<u32>, usize) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(kept) in "../../../../tests/exercises/answers/ch14/kept.rs");
