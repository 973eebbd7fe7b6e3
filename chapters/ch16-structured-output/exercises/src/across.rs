//! Across the end of a string
//!
//! The answer is in the middle of a JSON string that may have `room` more characters. Its quote may come at any time, and then the
//! answer goes on with `after`; nothing is known of what comes behind that, so it may be anything.
//!
//! Say of each token whether it may come. A token is a text that isn't empty; it has no backslash and no line break, which
//! strings write in another way. `after` isn't empty either.
//!
//! Level: core, about 25 minutes.
//! Read: "Where nearly everything may come", in the book at ch16/which.html.
//! Run: `cargo run -- watch across`, or once: `cargo test -p ch16-exercises across`.
//! Stuck: `cargo run -- hint across`. Done: `cargo run -- solution across`. Start over: `cargo run -- reset across`.

pub fn across(tokens: &[&str], room: usize, after: &str) -> Vec<bool> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(across) in "../../../../tests/exercises/answers/ch16/across.rs");
