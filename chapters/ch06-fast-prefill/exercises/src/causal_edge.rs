//! Where a piece of keys meets the future
//!
//! A query sees the key of its own position and all before it. Attention goes through the keys in pieces, and has to know for
//! each piece how much of it a query may see:
//!
//! - `seen(position, start, length)`: how many keys of a piece the query at `position` sees. The piece holds `length` keys,
//!   at positions `start`, `start + 1`, and so on. From 0 to `length`.
//! - `pieces(first, queries, piece)`: two numbers for a block of queries at positions `first`, `first + 1`, and so on. The
//!   text is cut every `piece` positions, from position 0 on. How many pieces, from the first on, does every query of the
//!   block see whole? And how many does the block need, because one of its queries at least sees a key there?
//!
//! Pieces hold at least one position and blocks at least one query. The first number of `pieces` is never larger than the
//! second.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "The diagonal", in the book at ch06/in-tiles.html.
//! Run: `cargo run -- watch causal_edge`, or once: `cargo test -p ch06-exercises causal_edge`.
//! Stuck: `cargo run -- hint causal_edge`. Done: `cargo run -- solution causal_edge`. Start over: `cargo run -- reset causal_edge`.

pub fn seen(position: usize, start: usize, length: usize) -> usize {
    todo!()
}

// -> (whole, needed)
pub fn pieces(first: usize, queries: usize, piece: usize) -> (usize, usize) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(seen, pieces) in "../../../../tests/exercises/answers/ch06/causal_edge.rs");
