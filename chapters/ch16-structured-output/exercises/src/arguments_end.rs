//! Where the arguments end
//!
//! The arguments of a call come in pieces of a stream, which may be cut anywhere between two characters. Together they're a
//! valid JSON object, with something behind it perhaps: `["{\"a\": \"}", "\\\"\"}\n</tool", "_call>"]`.
//!
//! Return where the object ends: in which piece, and how many bytes of that piece belong to it. None, if its end hasn't come yet.
//! The first piece begins with the object's `{`. A piece may be empty.
//!
//! Level: core, about 25 minutes.
//! Read: "Taken out again", in the book at ch16/tools.html.
//! Run: `cargo run -- watch arguments_end`, or once: `cargo test -p ch16-exercises arguments_end`.
//! Stuck: `cargo run -- hint arguments_end`. Done: `cargo run -- solution arguments_end`. Start over: `cargo run -- reset arguments_end`.

pub fn arguments_end(pieces: &[&str]) -> Option<(usize, usize)> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(arguments_end) in "../../../../tests/exercises/answers/ch16/arguments_end.rs");
