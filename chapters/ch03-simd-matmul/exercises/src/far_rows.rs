//! An order of rows that reads memory at several places
//!
//! A kernel for one token computes several rows of a weight matrix at once. Return the groups in the order in which they are
//! computed: with `stride = rows / streams` (rounded down), group r is the rows r, r + stride, r + 2 stride, ...: `streams`
//! of them, for r from 0 to stride - 1. Rows that are left over, when `streams` does not divide `rows`, come
//! last, in order, each in a group of its own.
//!
//! This is not the rule of the book's `far_rows`, which rounds up and computes the last row again where a group is not full.
//! Here every row appears once. `streams` is at least 1; there may be fewer rows than streams.
//! Example: 10 rows, 4 streams: [0, 2, 4, 6], [1, 3, 5, 7], [8], [9].
//!
//! Level: core, about 20 minutes.
//! Read: "The kernel for decode", in the book at ch03/far-rows.html.
//! Run: `cargo run -- watch far_rows`, or once: `cargo test -p ch03-exercises far_rows`.
//! Stuck: `cargo run -- hint far_rows`. Done: `cargo run -- solution far_rows`. Start over: `cargo run -- reset far_rows`.

pub fn far_rows(rows: usize, streams: usize) -> Vec<Vec<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(far_rows) in "../../../../tests/exercises/answers/ch03/far_rows.rs");
