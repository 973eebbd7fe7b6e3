//! Rows for several threads: shares that lose none
//!
//! Split `rows` rows into `shares` shares, one for each thread. Return them as ranges, in order:
//!
//! - There are exactly `shares` ranges. Together they hold every row from 0 to `rows - 1` once, each range beginning
//!   where the one before it ends.
//! - Their sizes differ by at most one, and the longer ones come first.
//! - With fewer rows than shares, the first `rows` shares have a row each. The others are empty: `rows..rows`.
//!
//! `shares` is at least 1. `rows` may be any number, 0 and `usize::MAX` too.
//! Example: 10 rows, 4 shares: 0..3, 3..6, 6..8, 8..10.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "Chunks, and who gets them", in the book at ch04/shares.html.
//! Run: `cargo run -- watch split_rows`, or once: `cargo test -p ch04-exercises split_rows`.
//! Stuck: `cargo run -- hint split_rows`. Done: `cargo run -- solution split_rows`. Start over: `cargo run -- reset split_rows`.

use std::ops::Range;

pub fn split_rows(rows: usize, shares: usize) -> Vec<Range<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(split_rows) in "../../../../tests/exercises/answers/ch04/split_rows.rs");
