//! `libm::expf`, to the bit, of numbers that are at most 0: in a loop the compiler takes several of them at once.

use std::f32::consts::LOG2_E;

/// *e* to the power of `x`, which is not above 0; 0 of NaN.
///
/// These are the operations of musl, which `libm` follows, in the same order. Where that branches, this chooses.
pub fn exp(x: f32) -> f32 {
    const HALF_LN_2: f32 = f32::from_bits(0x3eb1_7218);
    const MORE_THAN_LN_2: f32 = f32::from_bits(0x3f85_1592); // 1.5 times
    const UNDERFLOW: f32 = f32::from_bits(0x42cf_f1b5);

    // What is below all that has a result becomes 0 here: there a processor would be slow over numbers that nobody gets.
    let within = if x > -UNDERFLOW { x } else { 0.0 };
    // It's k times ln 2, in two parts of which the first has few digits, and a rest.
    let rounded = (LOG2_E * within - 0.5) as i32 as f32;
    let k = if within < -MORE_THAN_LN_2 {
        rounded
    } else if within < -HALF_LN_2 {
        -1.0
    } else {
        0.0
    };
    let (high, low) = (within - k * 0.693_145_75, k * 1.428_606_8e-6);
    let rest = high - low;

    let square = rest * rest;
    let c = rest - square * (0.166_666_25 + square * -0.002_766_733_3);
    let power = 1.0 + (rest * c / (2.0 - c) - low + high);
    // 2^-149 is no exponent that 32 bits have: the last factors round once, to a number with fewer digits.
    let (k, first) = if k < -126.0 { (k + 102.0, 1.972_152_3e-31) } else { (k, 1.0) };
    let scaled = power * first * f32::from_bits(((k as i32 + 127) << 23) as u32);

    let is_tiny = within >= -f32::from_bits(0x3900_0000);
    let result = if is_tiny { 1.0 + within } else { scaled };
    if x > -UNDERFLOW { result } else { 0.0 }
}
