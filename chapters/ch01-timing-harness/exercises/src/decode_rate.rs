//! Tokens per second, without counting the prompt
//!
//! A run of n forward passes gives n tokens. The first pass reads the whole prompt and gives the first token; each
//! later one reads one token and gives the next. `pass_ms` holds the times of all passes in milliseconds.
//!
//! Return the decode speed in tokens per second: the tokens after the first one, divided by the time they took.
//! If there is none (no pass, one pass, or no measurable time), return `None`: neither 0 nor infinity was measured.
//!
//! Read: "Two phases, two speeds", in the book at ch01/metrics.html.
//! Hints: `chapters/ch01-timing-harness/exercises/hints/decode_rate/1.md`.
//! Run: `cargo test -p ch01-exercises decode_rate`

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    todo!()
}
