//! Write the test that a cache must pass, and that a wrong one cannot
//!
//! An engine can be asked in two ways: `whole(ids)` computes everything anew, `session()` gives a session with an empty
//! cache, whose `step(ids)` appends one id or several. Both give the logits of the last id, `[vocab]`. In this course
//! they must be the same bits, always.
//!
//! Write the test: return `Ok(())` for an engine that keeps the promise, and an `Err` that says where it broke (prompt,
//! step, logit, both numbers as `{}` prints them) for one that does not. The check gives you one right engine and eight
//! wrong ones, each with one mistake that somebody has really made.
//!
//! Ids run from 0 to `engine.vocab() - 1`; ids and `vocab()` are `u32`. A sequence has at most `engine.context_length()` of
//! them, a `usize`. `random.below(n)` takes a `usize` and draws one from 0 to n - 1.
//!
//! Level: deep, about 60 minutes.
//! Read: "A test that can fail", in the book at ch02/compare.html.
//! Run: `cargo run -- watch parity_test`, or once: `cargo test -p ch02-exercises parity_test`.
//! Stuck: `cargo run -- hint parity_test`. Done: `cargo run -- solution parity_test`. Start over: `cargo run -- reset parity_test`.

use exercise_kit::Random;
use exercise_kit::engine::Engine;

pub fn parity_test(engine: &dyn Engine, random: &mut Random) -> Result<(), String> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(parity_test) in "../../../../tests/exercises/answers/ch02/parity_test.rs");
