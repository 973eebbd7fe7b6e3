//! A decode speed with a fault
//!
//! A run of n forward passes gives n tokens. The first pass reads the whole prompt and gives the first token; each
//! later one reads one token and gives the next. `pass_ms` holds the times of all passes in milliseconds.
//!
//! This function should return the decode speed in tokens per second: the tokens after the first one, divided by the
//! time that they took, or `None` if nothing was measured. It has one fault. Find it with the help of the test, and mend it.
//!
//! Level: warm-up, about 10 minutes.
//! Read: "Posts and gaps", in the book at ch01/metrics.html.
//! Run: `cargo run -- watch decode_rate`, or once: `cargo test -p ch01-exercises decode_rate`.
//! Stuck: `cargo run -- hint decode_rate`. Done: `cargo run -- solution decode_rate`. Start over: `cargo run -- reset decode_rate`.

// pass_ms: [n]
pub fn decode_rate(pass_ms: &[f64]) -> Option<f64> {
    let (_, steps) = pass_ms.split_first()?;
    let seconds = steps.iter().sum::<f64>() / 1000.0;
    (seconds > 0.0).then(|| pass_ms.len() as f64 / seconds)
}

// The test. It stays here.
exercise_kit::exercise!(check(decode_rate) in "../../../../tests/exercises/answers/ch01/decode_rate.rs");
