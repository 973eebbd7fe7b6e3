//! Turn a Q8_0 block into numbers
//!
//! Q8_0 stores 32 numbers in 34 bytes: a scale (a 16-bit float, least significant byte first), then 32 signed bytes.
//! number i = scale * byte i.
//!
//! Return the 32 numbers. `exercise_kit::f16_to_f32(bits)` turns the bits of a 16-bit float into an f32.
//!
//! Read: "A block of Q8_0", in the book at part0/eight-bits.html.
//! Hints: `chapters/part0-exercises/hints/widen_q8_0/1.md`.
//! Run: `cargo test -p part0-exercises widen_q8_0`

// block: [34] -> [32]
pub fn widen_q8_0(block: &[u8; 34]) -> [f32; 32] {
    todo!()
}
