//! Two texts with one key, and whose rows are served
//!
//! A prefix cache has its blocks by a key: a hash of the block's tokens and of the key before it, as
//! `exercise_kit::prefix::key` computes it. This one has only sixteen bits, so that you see soon what takes longer with
//! more of them. Nothing compares the tokens.
//!
//! A text of tokens is cut into blocks of `BLOCK` = 4, and `key(0, first)` is the key of its first block, `key(that,
//! second)` the key of the second one, and so on. What is left over at its end has no key and isn't in the cache.
//!
//! - `another(text)`: a text that others can be taken for. It is as long as `text` and has another first block.
//!   Behind that block it's the same, and all its keys are the same. Tokens are below `VOCABULARY`. The text has at
//!   least one whole block.
//! - `served(requests)`: requests come one after the other, each with its text. A request looks for its blocks
//!   from the first on. As long as a key is in the cache, it is served the rows that are there, and nothing is computed.
//!   From the first key that isn't there to its end it computes its blocks itself, whatever else may be in the
//!   cache. A block that it computes enters the cache, unless something is there under its key: that stays. Return, for
//!   each request and each of its whole blocks, the number of the request that has computed the rows.
//!
//! Requests are numbered from 0, and the cache is empty at first. Then look at what `served` says of a text and the one that
//! `another` has made of it. `BLOCK` is in `exercise_kit::blocks`; `key` and `VOCABULARY` are in `exercise_kit::prefix`.
//!
//! Level: deep, about 45 minutes.
//! Read: "Not a hash", in the book at ch11/index.html.
//! Run: `cargo run -- watch collision`, or once: `cargo test -p ch11-exercises collision`.
//! Stuck: `cargo run -- hint collision`. Done: `cargo run -- solution collision`. Start over: `cargo run -- reset collision`.

pub fn another(text: &[u32]) -> Vec<u32> {
    todo!()
}

pub fn served(requests: &[Vec<u32>]) -> Vec<Vec<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(another, served) in "../../../../tests/exercises/answers/ch11/collision.rs");
