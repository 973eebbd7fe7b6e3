//! When is the last piece done?
//!
//! Pieces of work are handed out in order: whichever thread is free first takes the next one. Piece `i` lasts `costs[i]`, and all
//! threads are free at time 0. When is the last piece done?
//!
//! - There may be more threads than pieces, and no pieces at all: then all is done at time 0.
//! - `threads` is from 1 to 256. The sum of the costs fits into a `u64`.
//!
//! Example: eight blocks of queries last 1, 2, 3, 4, 5, 6, 7, 8. In this order, two threads are done at 20; from the largest
//! to the smallest, at 18.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "Cutting attention", in the book at ch04/heads.html.
//! Run: `cargo run -- watch last_piece`, or once: `cargo test -p ch04-exercises last_piece`.
//! Stuck: `cargo run -- hint last_piece`. Done: `cargo run -- solution last_piece`. Start over: `cargo run -- reset last_piece`.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(last_piece) in "../../../../tests/exercises/answers/ch04/last_piece.rs");
