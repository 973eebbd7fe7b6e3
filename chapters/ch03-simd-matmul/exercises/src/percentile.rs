//! A percentile that occurred: nearest rank
//!
//! Two definitions of a percentile are common: nearest rank, and interpolation between two neighbours. This course
//! uses nearest rank: the smallest sample that at least `percent` percent of all samples do not exceed. It is always one
//! of the samples.
//!
//! `samples` come in the order of measurement, `percent` is 0 to 100 (0 asks for the smallest). No samples: `None`.
//! Example: the 50th percentile of 4, 1, 3, 2 is 2, and the 95th is 4.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "Percentiles", in the book at ch03/profile.html.
//! Run: `cargo run -- watch percentile`, or once: `cargo test -p ch03-exercises percentile`.
//! Stuck: `cargo run -- hint percentile`. Done: `cargo run -- solution percentile`. Start over: `cargo run -- reset percentile`.

// samples: [n]
pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(nearest_rank) in "../../../../tests/exercises/answers/ch03/percentile.rs");
