//! What may leave a tree of blocks, and in which order
//!
//! The blocks of a prefix cache are the nodes of trees: a node's text goes on where its parent's ends, and what is in a
//! block is of no use without all blocks before it. When the room is full, some have to go. Return the numbers of the
//! nodes that go, in their order, one after the other until `wanted` of them are gone, or no more may go:
//!
//! - A node may go if it is a leaf, so that no node that's still there has it as its parent, and if no text holds
//!   its block (`holders` is 0; the tree isn't counted).
//! - Of those that may go, the one goes that was used longest ago. If two were used at the same time, it's the one with the
//!   smaller number.
//! - After that, another one may be a leaf.
//!
//! `Node` is in `exercise_kit::prefix`. A parent may have a larger number than its children, and it may have been used at
//! any time. There can be several trees, or none.
//!
//! Level: core, about 35 minutes.
//! Read: "What goes", in the book at ch11/tree.html.
//! Run: `cargo run -- watch may_be_evicted`, or once: `cargo test -p ch11-exercises may_be_evicted`.
//! Stuck: `cargo run -- hint may_be_evicted`. Done: `cargo run -- solution may_be_evicted`. Start over: `cargo run -- reset may_be_evicted`.

use exercise_kit::prefix::Node;

pub fn evicted(nodes: &[Node], wanted: usize) -> Vec<usize> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(evicted) in "../../../../tests/exercises/answers/ch11/may_be_evicted.rs");
