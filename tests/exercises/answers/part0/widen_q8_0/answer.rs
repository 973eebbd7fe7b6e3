//? title: Turn a Q8_0 block into numbers
//? page: part0/eight-bits.md
//? section: A block of Q8_0
//? minutes: 15
//? call: check(answer::widen_q8_0)
//? hint 1: 34 bytes: what are the first two, and what is each of the others? Which of the two are signed?
//? hint 2: The scale is a 16-bit float, least significant byte first; `exercise_kit::f16_to_f32` turns its bits into an f32. The others are signed bytes: -128 to 127.
//? hint 3: `let scale = f16_to_f32(u16::from_le_bytes([block[0], block[1]]));` and number i is `scale * f32::from(block[2 + i] as i8)`.
//? why: One scale serves 32 numbers, so a number costs 34 / 32 bytes instead of 4. The product of a 16-bit float and a
//?   signed byte has at most 11 + 8 significant bits: it is exact in f32, and so every program that reads the block gets the same
//?   numbers to the bit.

//! Q8_0 stores 32 numbers in 34 bytes: a scale (a 16-bit float, least significant byte first), then 32 signed bytes.
//! number i = scale * byte i.
//!
//! Return the 32 numbers. `exercise_kit::f16_to_f32(bits)` turns the bits of a 16-bit float into an f32.

// block: [34] -> [32]
pub fn widen_q8_0(block: &[u8; 34]) -> [f32; 32] {
    //-- starter
    // todo!()
    //-- solution
    let scale = exercise_kit::f16_to_f32(u16::from_le_bytes([block[0], block[1]]));
    std::array::from_fn(|i| scale * f32::from(block[2 + i] as i8))
    //-- end
}
