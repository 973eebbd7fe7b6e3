//! What a pass over several texts costs
//!
//! A pass computes one new token for each of several texts. Estimate what it costs:
//!
//! - The bytes of all weights are read once, at `bandwidth` bytes a nanosecond. While they come, the products of all rows are
//!   computed: `operations` for each text, `rate` of them a nanosecond. The pass waits for whichever takes longer.
//! - Then attention reads the keys and values of each text: `cache` bytes for each of its positions, at the same bandwidth.
//!
//! A part of a nanosecond counts as a whole one, in each of the three times. `Pass` is in `exercise_kit::pass`.
//!
//! - `nanoseconds(pass, lengths)`: what a pass takes for texts of these lengths; 0 without any text.
//! - `fits(pass, length, limit, most)`: how many texts of `length` positions can share a pass of no more than `limit` nanoseconds,
//!   but at most `most`. 0 if not even one can.
//!
//! Level: core, about 35 minutes.
//! Read: "What a row more costs", in the book at ch12/batch.html.
//! Run: `cargo run -- watch price`, or once: `cargo test -p ch12-exercises price`.
//! Stuck: `cargo run -- hint price`. Done: `cargo run -- solution price`. Start over: `cargo run -- reset price`.

use exercise_kit::pass::Pass;

pub fn nanoseconds(pass: &Pass, lengths: &[u64]) -> u64 {
    todo!()
}

pub fn fits(pass: &Pass, length: u64, limit: u64, most: usize) -> usize {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(nanoseconds, fits) in "../../../../tests/exercises/answers/ch12/price.rs");
