//! Where a block of keys meets the future
//!
//! A query sees the key of its own position and all before it. Attention goes through the keys in blocks, and has to know for
//! each block how much of it a query may see:
//!
//! - `seen(position, start, length)`: how many keys of a block the query at `position` sees. The block holds `length` keys,
//!   at positions `start`, `start + 1`, and so on. From 0 to `length`.
//! - `blocks(first, queries, block)`: two numbers for the queries at positions `first`, `first + 1`, and so on. The
//!   text is cut every `block` positions, from position 0 on. How many blocks, from the first on, does each of these
//!   queries see whole? And how many do they need, because one of them at least sees a key there?
//!
//! A block holds at least one position, and there is at least one query. The first number of `blocks` is never larger than the
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
pub fn blocks(first: usize, queries: usize, block: usize) -> (usize, usize) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(seen, blocks) in "../../../../tests/exercises/answers/ch06/causal_edge.rs");
