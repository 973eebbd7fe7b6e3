//! Events out of pieces that are cut anywhere
//!
//! A client reads the body of a streamed answer, and it comes in pieces. Where one ends says nothing: it may be inside a
//! character, inside `data: `, between a `\r` and its `\n`, or behind the third event. Write what takes the events out:
//!
//! - `push(piece)` takes the next bytes and returns the data of all events that are whole now, in their order.
//! - A line ends with `\n` or `\r\n`. (The standard knows a lone `\r` as well; here it's a part of the line.)
//! - `data:` and what follows on that line is a line of data. A single blank right behind the colon doesn't belong to it,
//!   all else does.
//! - An event ends with an empty line. Its data are its lines of data, joined by `\n`. One line that is only `data:` makes
//!   an event with an empty text; an event without any line of data isn't one.
//! - A line that begins with `:` is a comment, and other fields (`id: 7`) are of no interest. Both may be anywhere, inside
//!   an event too, and change nothing. Names are exact: `Data:` and `database:` are other fields, and so is ` data:`.
//! - Bytes that are no UTF-8 become U+FFFD, as with `String::from_utf8_lossy`.
//!
//! What has no empty line behind it isn't whole, even if nothing more comes. An empty piece is possible.
//!
//! Level: core, about 40 minutes.
//! Read: "Streaming", in the book at ch09/streams.html.
//! Run: `cargo run -- watch events`, or once: `cargo test -p ch09-exercises events`.
//! Stuck: `cargo run -- hint events`. Done: `cargo run -- solution events`. Start over: `cargo run -- reset events`.

pub struct Events {
    // The fields are yours to choose.
}

impl Events {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Events {
        todo!()
    }

    pub fn push(&mut self, piece: &[u8]) -> Vec<String> {
        todo!()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(Events::new, Events::push) in "../../../../tests/exercises/answers/ch09/events.rs");
