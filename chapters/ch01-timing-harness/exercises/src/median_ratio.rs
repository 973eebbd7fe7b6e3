//! How much faster: the median of interleaved ratios
//!
//! Two settings were run in turn: `times[0]` is a run of A (before), `times[1]` of B (after), `times[2]` of A again, and so on.
//!
//! Return the speed-up: the median, over all pairs of neighbours, of time A / time B (2.0: B takes half the time). The first
//! `warm_up` pairs do not count, nor does a last A without its B. For an even number of pairs the median is the
//! mean of the two in the middle. No pair left: `None`.
//!
//! Level: core, about 30 minutes.
//! Read: "Comparing two settings", in the book at ch01/metrics.html.
//! Run: `cargo run -- watch median_ratio`, or once: `cargo test -p ch01-exercises median_ratio`.
//! Stuck: `cargo run -- hint median_ratio`. Done: `cargo run -- solution median_ratio`. Start over: `cargo run -- reset median_ratio`.

// times: [2 * pairs], or one more
pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(median_ratio) in "../../../../tests/exercises/answers/ch01/median_ratio.rs");
