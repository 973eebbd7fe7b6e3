//! The 256 integers of a block of Q6_K
//!
//! A block of Q6_K holds 256 integers of 6 bits. The bits of one integer are in two places: four low bits in `low`, where a byte
//! has two integers, and two high bits in `high`, where a byte has four. Return the integers, from -32 to 31, in order.
//!
//! - The block has two halves of 128 integers. The first half has the first 64 bytes of `low` and the first 32 of `high`.
//! - A half has four groups of 32. The low halves of its 64 bytes are groups 0 and 1, one after the other. The high halves are
//!   groups 2 and 3.
//! - The four groups share the 32 bytes of `high`. Group 0 has the lowest two bits of each byte, group 3 the highest two.
//! - The six bits make a number from 0 to 63. The integer is that number minus 32.
//!
//! Some of the check's blocks are from the file with which the ground floor's own function is tested.
//!
//! Level: core, about 30 minutes.
//! Read: "Two places for six bits", in the book at ch05/six-bits.html.
//! Run: `cargo run -- watch six_bits`, or once: `cargo test -p ch05-exercises six_bits`.
//! Stuck: `cargo run -- hint six_bits`. Done: `cargo run -- solution six_bits`. Start over: `cargo run -- reset six_bits`.

// low: [128], high: [64] -> [256]
pub fn six_bits(low: &[u8; 128], high: &[u8; 64]) -> [i8; 256] {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(six_bits) in "../../../../tests/exercises/answers/ch05/six_bits.rs");
