//! One more token for one of several forks
//!
//! Texts are in blocks of `BLOCK` = 4 tokens, and texts that begin alike share blocks. Put one more token at the end of
//! one of them. A text has its blocks' numbers and its length (`Table`), a block has tokens and the number of texts that
//! have it (`Block`); both are in `exercise_kit::blocks`.
//!
//! - A block that other texts have as well is never written. If the token has to go into one, this text gets a copy
//!   of what it has in that block, in a free block. The others keep theirs.
//! - Otherwise nothing is copied, and no block is taken that isn't needed.
//! - The first `length` tokens of the table's blocks are the text. A block may have more: another text, which perhaps
//!   has ended, has written on in it. Behind the new token nothing must be left of that in a block of this text's own.
//! - A free block has `holders == 0`, and it may still have tokens. Take the one with the smallest number.
//! - Counts and tables have to be right afterwards.
//!
//! Return `true`. If a free block is needed and there is none, return `false`, and nothing may have changed. The table
//! has as many blocks as its length needs, and the text may be empty.
//!
//! Level: core, about 35 minutes.
//! Read: "Sharing, and writing", in the book at ch10/fork.html.
//! Run: `cargo run -- watch copy_on_write`, or once: `cargo test -p ch10-exercises copy_on_write`.
//! Stuck: `cargo run -- hint copy_on_write`. Done: `cargo run -- solution copy_on_write`. Start over: `cargo run -- reset copy_on_write`.

use exercise_kit::blocks::{Block, Table};

pub fn append(room: &mut [Block], table: &mut Table, token: u32) -> bool {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(append) in "../../../../tests/exercises/answers/ch10/copy_on_write.rs");
