//! A body in chunks, and not a byte that could be read differently
//!
//! A client that doesn't know yet how long its body will be sends it in chunks:
//!
//! ```text
//! 6\r\n            how many bytes come, in hexadecimal
//! Where \r\n       the bytes, and a CRLF behind them
//! A;x=1\r\n        after a `;` there may be an extension
//! is it now?\r\n
//! 0\r\n            the last chunk has none
//! Seen: yes\r\n    trailers: any number of lines, mostly none
//! \r\n             an empty line ends the body
//! ```
//!
//! Take such a body apart: return its data, all chunks together, and what comes behind its end, where the next request
//! begins. What isn't exactly so is an error, in words of your own, and nothing may panic:
//!
//! - A size is 1 to 8 hexadecimal digits of either case and nothing else: no sign, no blank, no `0x`. Zeros in front are
//!   digits too.
//! - An extension begins with `;` right behind the size and ends with the line. (HTTP would tolerate blanks before it;
//!   this reader doesn't.) Ignore it, and ignore what the trailers say.
//! - A line ends with `\r\n`. Data is whatever it is, but in a line, a `\r` without its `\n` or a `\n` without its `\r` is
//!   an error, in extensions and trailers as well.
//! - Behind the data of each chunk comes `\r\n` and nothing else.
//! - A body that stops before its empty line is an error.
//!
//! Level: core, about 45 minutes.
//! Read: "A web server by hand", in the book at ch09/by-hand.html.
//! Run: `cargo run -- watch chunked`, or once: `cargo test -p ch09-exercises chunked`.
//! Stuck: `cargo run -- hint chunked`. Done: `cargo run -- solution chunked`. Start over: `cargo run -- reset chunked`.

/// The data, and the rest.
type Apart<'a> = (Vec<u8>, &'a [u8]);

pub fn chunked(body: &[u8]) -> Result<Apart<'_>, &'static str> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(chunked) in "../../../../tests/exercises/answers/ch09/chunked.rs");
