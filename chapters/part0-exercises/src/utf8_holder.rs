//! Print text as it comes, but never half a character
//!
//! A model's tokens are bytes, and a character may be spread over several tokens. Write a holder that is given the bytes
//! as they come:
//!
//! - `push(bytes)` returns all text that is complete now. The beginning of a character is held back until it is whole.
//! - Bytes that can never become a character are returned as U+FFFD, as `String::from_utf8_lossy` would, without waiting.
//! - `finish()` returns what is still held (an unfinished character, lossily), and leaves nothing behind.
//!
//! All returned pieces together are `String::from_utf8_lossy` of all bytes together.
//!
//! Level: deep, about 60 minutes.
//! Read: "Half a character", in the book at part0/stream.html.
//! Run: `cargo run -- watch utf8_holder`, or once: `cargo test -p part0-exercises utf8_holder`.
//! Stuck: `cargo run -- hint utf8_holder`. Done: `cargo run -- solution utf8_holder`. Start over: `cargo run -- reset utf8_holder`.

pub struct Holder {
    // The fields are yours to choose.
}

impl Holder {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Holder {
        todo!()
    }

    pub fn push(&mut self, bytes: &[u8]) -> String {
        todo!()
    }

    pub fn finish(&mut self) -> String {
        todo!()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(Holder::new, Holder::push, Holder::finish) in "../../../tests/exercises/answers/part0/utf8_holder.rs");
