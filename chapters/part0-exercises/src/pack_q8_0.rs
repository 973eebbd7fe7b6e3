//! The other direction: 32 numbers into a block of Q8_0
//!
//! The page reads blocks of Q8_0. Write one: 32 numbers become 34 bytes, first a scale (a 16-bit float, least
//! significant byte first), then 32 signed bytes.
//!
//! The scale is the largest absolute value divided by 127, rounded to 16 bits. Each byte is chosen so that scale * byte, with
//! the scale as it is stored, is as near to its number as possible. 32 zeros give 34 zeros.
//!
//! `exercise_kit::f32_to_f16(x)` gives the bits of the 16-bit float nearest to x, `f16_to_f32(bits)` goes back.
//!
//! Level: core, about 30 minutes.
//! Read: "A block of Q8_0", in the book at part0/eight-bits.html.
//! Run: `cargo run -- watch pack_q8_0`, or once: `cargo test -p part0-exercises pack_q8_0`.
//! Stuck: `cargo run -- hint pack_q8_0`. Done: `cargo run -- solution pack_q8_0`. Start over: `cargo run -- reset pack_q8_0`.

// x: [32] -> [34]
pub fn pack_q8_0(x: &[f32; 32]) -> [u8; 34] {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(pack_q8_0) in "../../../tests/exercises/answers/part0/pack_q8_0.rs");
