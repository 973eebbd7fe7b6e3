//? title: The other direction: 32 numbers into a block of Q8_0
//? page: part0/eight-bits.md
//? section: A block of Q8_0
//? level: core
//? minutes: 30
//? call: check(answer::pack_q8_0)
//? hint 1: A signed byte goes from -128 to 127. Which of the 32 numbers decides how large a step must be, and which byte should it become?
//? hint 2: The scale is the largest absolute value divided by 127. The reader of the file multiplies with the scale that is *stored*, which was rounded to 16 bits: divide by that one.
//? hint 3: `let bits = f32_to_f16(largest / 127.0); let scale = f16_to_f32(bits);` then byte i is `(x[i] / scale).round() as i8 as u8`, and `bits.to_le_bytes()` are the first two. For a scale of 0 all bytes are 0.
//? why: The number with the largest absolute value becomes 127 or -127, so the whole range of a byte is used and nothing is
//?   cut off. We divide by the scale as the file will hold it, because that is the one the reader multiplies with. A cast
//?   from float to `i8` drops the fraction, so `round` comes first. For the block of zeros 0 / 0 is NaN, and in Rust NaN as
//?   `i8` is 0.

//! The page reads blocks of Q8_0. Write one: 32 numbers become 34 bytes, first a scale (a 16-bit float, least
//! significant byte first), then 32 signed bytes.
//!
//! The scale is the largest absolute value divided by 127, rounded to 16 bits. Each byte is chosen so that scale * byte, with
//! the scale as it is stored, is as near to its number as possible. 32 zeros give 34 zeros.
//!
//! `exercise_kit::f32_to_f16(x)` gives the bits of the 16-bit float nearest to x, `f16_to_f32(bits)` goes back.

// x: [32] -> [34]
pub fn pack_q8_0(x: &[f32; 32]) -> [u8; 34] {
    //-- starter
    // todo!()
    //-- solution
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let bits = exercise_kit::f32_to_f16(largest / 127.0);
    let scale = exercise_kit::f16_to_f32(bits);
    let mut block = [0; 34];
    block[..2].copy_from_slice(&bits.to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x / scale).round() as i8 as u8;
    }
    block
    //-- end
}
