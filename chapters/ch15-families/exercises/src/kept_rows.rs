//! What a model with windows could give back
//!
//! A model has `layers` layers. Layer `i`, from 0 on, sees everything if `i + 1` is a multiple of `period`; each of the others
//! sees only the last `window` keys, the query's own among them. Keys and values are kept in blocks of 64 positions, beginning
//! at position 0, and a layer could give back a block as soon as no query that's still to come sees any row of it.
//!
//! `length` positions have been computed, and the next query will be at position `length`. Return how many rows all layers
//! together still have to keep, if they give back every block that they can. `period` and `window` are at least 1.
//!
//! Level: core, about 25 minutes.
//! Read: "Giving back what no layer sees", in the book at ch15/window.html.
//! Run: `cargo run -- watch kept_rows`, or once: `cargo test -p ch15-exercises kept_rows`.
//! Stuck: `cargo run -- hint kept_rows`. Done: `cargo run -- solution kept_rows`. Start over: `cargo run -- reset kept_rows`.

pub fn rows_kept(length: usize, layers: usize, period: usize, window: usize) -> usize {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(rows_kept) in "../../../../tests/exercises/answers/ch15/kept_rows.rs");
