//! How much of a cache serves another text
//!
//! A cache has one row for each id of `held`. Now the logits after the text `ids` are wanted. Most of it may be in the cache
//! already: what comes after is another question, or the last turn was taken back, or somebody has changed a word.
//!
//! Return how many rows of the cache can be kept, as many as possible:
//!
//! - A row was made from its own id and from all ids before it. It can be kept if these are the ids of the new text, at the
//!   same positions. Nothing moves: a row stays where it is, or it is cut off.
//! - The last id of the new text is always computed, even if the cache has its row. Its logits are wanted, and a cache has
//!   only keys and values.
//!
//! Either may be longer than the other, and either may be empty. Of an empty text nothing is kept.
//!
//! Level: warm-up, about 10 minutes.
//! Read: "A cache and its tokens", in the book at ch07/kept.html.
//! Run: `cargo run -- watch common_beginning`, or once: `cargo test -p ch07-exercises common_beginning`.
//! Stuck: `cargo run -- hint common_beginning`. Done: `cargo run -- solution common_beginning`. Start over: `cargo run -- reset common_beginning`.

// held, ids: any length, any ids
pub fn kept(held: &[u32], ids: &[u32]) -> usize {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(kept) in "../../../../tests/exercises/answers/ch07/common_beginning.rs");
