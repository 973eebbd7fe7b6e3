//! A stretch that crosses a stop
//!
//! A grammar left one way on, so the engine has guessed the tokens of `forced`, and all of them have come true. `text` is what
//! the answer said before them, and each of `forced` is the text that a token adds. The answer ends where `stop` would begin,
//! as soon as `stop` is whole. It isn't empty, and it isn't in `text`, which may end with its beginning.
//!
//! Return how many of the tokens are the answer's, and all of the answer's text. A token with which `stop` becomes whole is
//! counted, since it was computed; those after it would never have been asked for. If `stop` doesn't come, all are counted.
//!
//! Level: warm-up, about 20 minutes.
//! Read: "Where a stretch ends", in the book at ch16/forced.html.
//! Run: `cargo run -- watch crossed`, or once: `cargo test -p ch16-exercises crossed`.
//! Stuck: `cargo run -- hint crossed`. Done: `cargo run -- solution crossed`. Start over: `cargo run -- reset crossed`.

pub fn crossed(text: &str, forced: &[&str], stop: &str) -> (usize, String) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(crossed) in "../../../../tests/exercises/answers/ch16/crossed.rs");
