use std::f32::consts::LOG2_E;

/// e to the power of x, at most two units off in the last digit. It has no branches, no calls and nothing but
/// additions, multiplications and bits, so a loop around it takes several numbers at once.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    // Beyond these the result is as good as 0 or infinite.
    let x = x.clamp(-87.0, 88.0);
    // x is n times ln 2 and a remainder of at most half of that. Next to 1.5 * 2^23 there are only whole numbers.
    const WHOLE: f32 = 12_582_912.0;
    let beside = x * LOG2_E + WHOLE;
    let n = beside - WHOLE;
    // ln 2 in two parts: the first has so few digits that its multiples are exact.
    let rest = (x - n * 0.693_359_4) - n * -2.121_944_4e-4;
    let mut sum = 1.0 / 5040.0;
    for factor in [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0] {
        sum = sum * rest + factor;
    }
    // 2^n is the bits of an exponent. The lowest bits of the number beside n are n as an integer; the shift
    // drops all others.
    sum * f32::from_bits(beside.to_bits().wrapping_add(127) << 23)
}
