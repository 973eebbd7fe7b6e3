//! Which requests find no place, in one piece and in blocks
//!
//! A server has memory for the rows of `memory` positions. Requests arrive, each for so many tokens (at least one), and
//! leave, in any order. A request that finds no place is refused: it's gone for good and takes nothing. Return the
//! numbers of all requests that are refused, in their order, in two such servers:
//!
//! - `contiguous`: a request's rows are in one piece, as they've been up to chapter 9. It gets the first hole that is large
//!   enough, the one with the smallest position, and lies at that hole's beginning. Nothing is ever moved.
//! - `in_blocks`: the memory is cut into blocks of `block` positions. What's left over at its end is of no use. A request
//!   takes as many blocks as it needs, wherever they are, and no two requests share one.
//!
//! Requests are numbered as they arrive, from 0, the refused ones too. `Leaves(number)` says that one is over. That may
//! be said of a refused one as well. It is said at most once, and never of one that hasn't arrived.
//!
//! Level: core, about 40 minutes.
//! Read: "Memory and speed with blocks", in the book at ch10/result.html.
//! Run: `cargo run -- watch fragments`, or once: `cargo test -p ch10-exercises fragments`.
//! Stuck: `cargo run -- hint fragments`. Done: `cargo run -- solution fragments`. Start over: `cargo run -- reset fragments`.

use exercise_kit::blocks::Event;

pub fn contiguous(memory: usize, events: &[Event]) -> Vec<usize> {
    todo!()
}

pub fn in_blocks(memory: usize, block: usize, events: &[Event]) -> Vec<usize> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(contiguous, in_blocks) in "../../../../tests/exercises/answers/ch10/fragments.rs");
