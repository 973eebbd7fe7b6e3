//! A draw too many
//!
//! A request has a prompt of `prompt` tokens, at least one. It writes a token whenever all of its tokens have rows, and draws a
//! random number for it: its sampler's number 0 first, then number 1, and so on. The token is then one of its tokens.
//!
//! The log says what has happened, in order: rows were computed, the next ones that it lacked; or it was preempted, and has lost
//! all of its rows. Say for each line of the log which number was drawn then, or `None` if none was. The answer has to be the
//! same, number for number, as if it had never been preempted.
//!
//! Level: core, about 25 minutes.
//! Read: "Why it always ends", in the book at ch13/room.html.
//! Run: `cargo run -- watch drawn_twice`, or once: `cargo test -p ch13-exercises drawn_twice`.
//! Stuck: `cargo run -- hint drawn_twice`. Done: `cargo run -- solution drawn_twice`. Start over: `cargo run -- reset drawn_twice`.

use exercise_kit::schedule::Happened;

pub fn draws(prompt: usize, log: &[Happened]) -> Vec<Option<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(draws) in "../../../../tests/exercises/answers/ch13/drawn_twice.rs");
