//? title: A block of Q8_0 as the reference writes it, to the byte
//? page: ch05/rounding.md
//? section: By hand
//? level: deep
//? minutes: 25
//? call: check(answer::quantize_block)
//? hint 1: Write down each operation of the task with its type: a division, its reciprocal, 32 products, 32 roundings, and one conversion to 16 bits. Which of them sees the number that another one has rounded?
//? hint 2: The integers come from `id` alone, and `id` from `d` as an `f32`; the 16-bit scale is for bytes 0 and 1 only. `f32::round` takes halves away from zero. `f32::max` passes over NaN, so look at every number.
//? hint 3: `let d = largest / 127.0;` and `let id = 1.0 / d;`, set to 0.0 unless `id.is_finite()`. Then byte 2 + i is `(x[i] * id).round() as i8 as u8`, and `f32_to_f16(d).to_le_bytes()` are the first two.
//? why: Two programs that write the same file from the same weights have to round at the same places. `x / d` and `x * (127 / largest)`
//?   are as good as `x * (1 / d)`, and now and then the last bit differs; if the product is near a half, the integer does too. The
//?   reference computes the integers with a scale that is not the stored one, so a block can have integers and a stored scale of 0.
//?   It reads back as zeros. NaN has to be looked for: it is neither larger nor smaller than anything, and `f32::max` drops it.

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

// x: [32] -> [34]
pub fn quantize_block(x: &[f32; 32]) -> Option<[u8; 34]> {
    //-- starter
    // todo!()
    //-- solution
    if !x.iter().all(|x| x.is_finite()) {
        return None;
    }
    let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
    let d = largest / 127.0;
    let id = 1.0 / d;
    let id = if id.is_finite() { id } else { 0.0 };
    let mut block = [0; 34];
    block[..2].copy_from_slice(&exercise_kit::f32_to_f16(d).to_le_bytes());
    for (byte, x) in block[2..].iter_mut().zip(x) {
        *byte = (x * id).round() as i8 as u8;
    }
    Some(block)
    //-- end
}
