//! Thirty-two bits into sixteen
//!
//! The cache has rows of sixteen-bit floats now, and attention makes its keys and values in thirty-two. Most CPUs round
//! with one instruction. Write what that instruction does, on the bits: no `as f16`, no crate.
//!
//! A 16-bit float has, from the highest bit down, a sign, 5 bits of exponent and 10 bits of fraction. In an `f32` these
//! are 1, 8 and 23 bits, with 127 where sixteen bits have 15, and 255 where they have 31.
//!
//! - Exponent 1 to 30: the number is (1 + fraction / 1024) * 2^(exponent - 15). The largest is 65504, with the bits
//!   0x7bff.
//! - Exponent 0: fraction / 1024 * 2^-14, without the 1 in front. These are the subnormal numbers, and both zeros.
//! - Exponent 31: infinity where the fraction is 0, and NaN where it isn't.
//!
//! Return the bits of the 16-bit float that is nearest to x. If x is exactly in the middle of two, it becomes the one
//! whose last bit is 0. After 65504 the next step would be 65536, which sixteen bits don't have: whatever would be
//! rounded to it or is larger becomes infinity. The sign stays, also where a zero is all that's left. A NaN becomes a
//! NaN, no matter which.
//!
//! The check asks for every 16-bit float, for every middle of two, and for what's next to both on either side.
//!
//! Level: core, about 40 minutes.
//! Read: "Sixteen bits", in the book at ch08/sixteen-bits.html.
//! Run: `cargo run -- watch nearest_even`, or once: `cargo test -p ch08-exercises nearest_even`.
//! Stuck: `cargo run -- hint nearest_even`. Done: `cargo run -- solution nearest_even`. Start over: `cargo run -- reset nearest_even`.

pub fn nearest_even(x: f32) -> u16 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(nearest_even) in "../../../../tests/exercises/answers/ch08/nearest_even.rs");
