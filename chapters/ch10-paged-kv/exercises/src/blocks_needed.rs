//! How many blocks some texts take, alone and together
//!
//! Texts are in blocks of `block` positions. Position p of a text is in its block number p / block, so a text of no tokens
//! has no block. Say what some texts of `lengths` tokens take:
//!
//! - `alone`: how many blocks there are if each text has its own.
//! - `together`: how many there are if all of them begin with the same `common` tokens and go on differently. What
//!   begins alike was computed once, and each text is a fork of it. Two texts have a block in common as long as all their rows
//!   in it are the same. A text that goes on inside a common block has a copy of its own there, and texts that don't go on
//!   (they have exactly `common` tokens) still share what they had. A block that is in no text any more is free and
//!   isn't counted.
//! - `unused`: how many bytes of the blocks of `together` have no row yet. A row takes `bytes` bytes.
//!
//! No text has fewer than `common` tokens. There may be no texts at all: they take nothing. `block` is at least 1, and
//! all results fit 64 bits.
//!
//! Level: warm-up, about 20 minutes.
//! Read: "Blocks", in the book at ch10/index.html.
//! Run: `cargo run -- watch blocks_needed`, or once: `cargo test -p ch10-exercises blocks_needed`.
//! Stuck: `cargo run -- hint blocks_needed`. Done: `cargo run -- solution blocks_needed`. Start over: `cargo run -- reset blocks_needed`.

pub fn alone(lengths: &[u64], block: u64) -> u64 {
    todo!()
}

pub fn together(common: u64, lengths: &[u64], block: u64) -> u64 {
    todo!()
}

pub fn unused(common: u64, lengths: &[u64], block: u64, bytes: u64) -> u64 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(alone, together, unused) in "../../../../tests/exercises/answers/ch10/blocks_needed.rs");
