//! Change a message in the middle
//!
//! The cache has rows for the first `rows` ids of a conversation, perhaps for all of them and never for more. The text is
//! the ids of all messages, one message after the other. Now message number `edited` gets other ids, `new`. There may be more
//! than before, fewer, as many, or none. The other messages keep theirs.
//!
//! Then the logits after the new text are wanted. They must be those of a fresh run, to the bit, for as little work as
//! possible. A row was made from its own id, its position and all ids before it. So it stays valid only if all ids up to its
//! own are those of the old text, at the same positions. What a message is does not matter, only ids do. No row is ever moved
//! to another position. The last id of the text is always computed, since its logits are wanted.
//!
//! Return three numbers: how many rows are kept, how many are cut off, and how many ids must be computed then.
//!
//! Level: core, about 20 minutes.
//! Read: "What an early end leaves", in the book at ch07/kept.html.
//! Run: `cargo run -- watch edit_in_the_middle`, or once: `cargo test -p ch07-exercises edit_in_the_middle`.
//! Stuck: `cargo run -- hint edit_in_the_middle`. Done: `cargo run -- solution edit_in_the_middle`. Start over: `cargo run -- reset edit_in_the_middle`.

// messages: the ids of each -> (kept, cut off, computed)
pub fn edit(
    messages: &[Vec<u32>],
    edited: usize,
    new: &[u32],
    rows: usize,
) -> (usize, usize, usize) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(edit) in "../../../../tests/exercises/answers/ch07/edit_in_the_middle.rs");
