//! A key in eight bits, and how far off its score can be
//!
//! Sixteen bits halve the cache. Eight would nearly halve it again, stored as the weights are in Q8_0: in blocks of 32
//! numbers, each block with a scale and 32 signed integers of a byte. (The scale of Q8_0 has sixteen bits. Here it's an
//! `f32`, so that you needn't round that as well.) Three functions say how that goes, and what it costs:
//!
//! - `write`: the scale of a block is its largest absolute value, divided by 127. Each integer is chosen so that scale *
//!   integer is as near to its number as possible; if two are as near, take either. 32 zeros have the scale 0 and
//!   integers of 0.
//! - `read`: the row as it comes back.
//! - `most_off`: a score is the sum of all q * k, where q is a number of the query and k one of the key. With the key as
//!   it comes back from eight bits, it's another sum. By how much can the two differ at most? You have the query and the
//!   key's blocks, and nobody remembers the key. Each of its numbers may have been moved as far as rounding can move it,
//!   up or down. (The largest one of a block comes back as it was. Treat it like the others.)
//!
//! The bound is meant in exact arithmetic; yours may be off by a hundred-thousandth of it. The length of a row is a
//! multiple of 32, and may be 0. Its numbers are 0, or between 1e-20 and 1e6 in size, with either sign.
//!
//! Level: core, about 35 minutes.
//! Read: "What the rounding costs", in the book at ch08/error.html.
//! Run: `cargo run -- watch eight_bits`, or once: `cargo test -p ch08-exercises eight_bits`.
//! Stuck: `cargo run -- hint eight_bits`. Done: `cargo run -- solution eight_bits`. Start over: `cargo run -- reset eight_bits`.

/// A scale and 32 integers.
type Block = (f32, [i8; 32]);

// row: [n] -> [n / 32]
pub fn write(row: &[f32]) -> Vec<Block> {
    todo!()
}

// blocks: [n / 32] -> [n]
pub fn read(blocks: &[Block]) -> Vec<f32> {
    todo!()
}

// query: [n], key: [n / 32]
pub fn most_off(query: &[f32], key: &[Block]) -> f32 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(write, read, most_off) in "../../../../tests/exercises/answers/ch08/eight_bits.rs");
