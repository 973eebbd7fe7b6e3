//! A block of Q8_0 as the reference writes it, to the byte
//!
//! Write 32 numbers as a block of Q8_0, with the same bytes as the reference implementation of the format. All arithmetic is
//! in `f32`, and every operation rounds:
//!
//! - `d` is the largest absolute value divided by 127. Bytes 0 and 1 are the nearest 16-bit float, least significant byte first.
//! - `id` is 1 / d. Where that is infinite, because d is 0 or nearly so, `id` is 0.
//! - Byte 2 + i is the signed integer nearest to `x[i] * id`. A half is rounded away from zero: 2.5 to 3, and -2.5 to -3.
//!
//! A block with a NaN or an infinity cannot be written: return `None`. All other numbers are from minus a million to a million.
//!
//! The exercise `pack_q8_0` of the ground floor divided by the scale as it is stored. Here `d` stays as it is. The engine rounds
//! the rows of x by nearly the same rule, but takes halves to the even integer: the instructions of a CPU do that.
//! `exercise_kit::f32_to_f16(d)` gives the bits of the 16-bit float nearest to d.
//!
//! Level: deep, about 25 minutes.
//! Read: "By hand", in the book at ch05/rounding.html.
//! Run: `cargo run -- watch quantize_block`, or once: `cargo test -p ch05-exercises quantize_block`.
//! Stuck: `cargo run -- hint quantize_block`. Done: `cargo run -- solution quantize_block`. Start over: `cargo run -- reset quantize_block`.

// x: [32] -> [34]
pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(quantize_block) in "../../../../tests/exercises/answers/ch05/quantize_block.rs");
