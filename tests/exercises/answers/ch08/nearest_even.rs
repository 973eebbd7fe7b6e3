//? title: Thirty-two bits into sixteen
//? page: ch08/sixteen-bits.md
//? section: Sixteen bits
//? level: core
//? minutes: 40
//? call: check(nearest_even)
//? hint 1: Write 2049.0 as a binary fraction, 1.… times a power of two, and cut it behind ten places. How large is the rest, in parts of the last place? Do the same with 2050.5 and 2051.0. Which rests leave no doubt, and what decides about the one that does?
//? hint 2: Put exponent and fraction of the result side by side in one integer, and add 1 to *that* where you round up. The carry finds its own way: out of a full fraction into the exponent, and from 0x7bff to 0x7c00, which is infinity. Below 2^-14 the exponent stays 0 instead: the 1 in front of the fraction becomes visible, and each power of two less moves it one place to the right, out of the sixteen bits.
//? hint 3: With `size` the bits without the sign, `let exponent = (size >> 23) as i32 - 112;` and `let mantissa = size & 0x007f_ffff | 0x0080_0000;`. You drop 13 places, or `(14 - exponent).min(25)` if the exponent is below 1. What's kept is `((exponent.max(1) as u32 - 1) << 10) + (mantissa >> places)`, where the leading 1 of the mantissa adds the 1 that was taken from the exponent. Add one more if the rest is above half, or is half and what's kept is odd. An exponent above 30 is infinity; ask about NaN before.
//? why: Two floats of sixteen bits that are neighbours are neighbours as integers too, over every border: from the largest
//?   fraction to the next exponent, from the last subnormal to the first normal number, from 65504 to infinity. So one addition
//?   rounds up everywhere. What's dropped lies between nothing and a whole step, and only the exact half needs a rule. Taking
//?   the even one sends half of these cases up and half down, so that a long sum of rounded numbers doesn't drift. NaN has to be
//?   looked at by itself: its fraction can be in the 13 bits that go, and what would be left are the bits of infinity. Rounding a
//?   subnormal in two steps, first to ten bits of fraction and then to fewer, can turn a little more than half into exactly half:
//?   round once, from all the bits.

// The cache has rows of sixteen-bit floats now, and attention makes its keys and values in thirty-two. Most CPUs round
// with one instruction. Write what that instruction does, on the bits: no `as f16`, no crate.
//
// A 16-bit float has, from the highest bit down, a sign, 5 bits of exponent and 10 bits of fraction. In an `f32` these
// are 1, 8 and 23 bits, with 127 where sixteen bits have 15, and 255 where they have 31.
//
// - Exponent 1 to 30: the number is (1 + fraction / 1024) * 2^(exponent - 15). The largest is 65504, with the bits
//   0x7bff.
// - Exponent 0: fraction / 1024 * 2^-14, without the 1 in front. These are the subnormal numbers, and both zeros.
// - Exponent 31: infinity where the fraction is 0, and NaN where it isn't.
//
// Return the bits of the 16-bit float that is nearest to x. If x is exactly in the middle of two, it becomes the one
// whose last bit is 0. After 65504 the next step would be 65536, which sixteen bits don't have: whatever would be
// rounded to it or is larger becomes infinity. The sign stays, also where a zero is all that's left. A NaN becomes a
// NaN, no matter which.
//
// The check asks for every 16-bit float, for every middle of two, and for what's next to both on either side.

pub fn nearest_even(x: f32) -> u16 {
    //-- starter
    // todo!()
    //-- solution
    let bits = x.to_bits();
    let (sign, size) = ((bits >> 16) as u16 & 0x8000, bits & 0x7fff_ffff);
    if x.is_nan() {
        return sign | 0x7e00;
    }
    let exponent = (size >> 23) as i32 - 112; // 15 where it was 127
    if exponent > 30 {
        return sign | 0x7c00;
    }
    let mantissa = size & 0x007f_ffff | 0x0080_0000;
    // Subnormal numbers lose a place more with each power of two. With 25 places nothing is left to round up.
    let places = if exponent > 0 { 13 } else { (14 - exponent).min(25) };
    let kept = ((exponent.max(1) as u32 - 1) << 10) + (mantissa >> places);
    let (rest, half) = (mantissa & ((1 << places) - 1), 1 << (places - 1));
    let up = rest > half || (rest == half && kept % 2 == 1);
    sign | (kept + u32::from(up)) as u16
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, Random, f16_to_f32, f32_to_f16};

    pub fn check(answer: fn(f32) -> u16) -> Checked {
        let case = |x: &f32| format!("{x:?} (bits {:#010x})", x.to_bits());
        // Any NaN will do.
        let one_nan = |bits: u16| if bits & 0x7fff > 0x7c00 { 0x7e00 } else { bits };
        let answer = |x: &f32| one_nan(answer(*x));
        ask_each(
            numbers(),
            case,
            answer,
            |x| right(*x),
            likely,
            |expected, found| {
                let shown = |bits: u16| format!("{bits:#06x}, which is {:?}", f16_to_f32(bits));
                (shown(*expected), shown(*found))
            },
        )
    }

    /// Some whose bits can be worked out by hand; then all that there are, with the middles; then any.
    fn numbers() -> Vec<f32> {
        let mut all = vec![1.0, -2.0, 0.1, 2049.0, 4095.5, 65519.0, 65520.0, f32::MAX, -0.0];
        // The middle of two subnormal numbers, and a little more.
        let middle = (f16_to_f32(0x100) + f16_to_f32(0x101)) / 2.0;
        all.extend([f32::NEG_INFINITY, 6.1e-5, middle.next_up(), 4e-8, -2e-8, 1e-20, 1e-40]);
        for below in 0..0x7c00 {
            let low = f16_to_f32(below);
            let high = if below == 0x7bff { 65536.0 } else { f16_to_f32(below + 1) };
            // Exact: half a step takes one bit more than a step, and an f32 has thirteen more.
            let middle = (low + high) / 2.0;
            let near = [low, low.next_up(), middle.next_down(), middle, middle.next_up()];
            all.extend(near.iter().flat_map(|x| [*x, -x]));
            all.push(high.next_down());
        }
        let mut random = Random::new(80);
        all.extend((0..5_000).map(|_| f32::from_bits(random.bits() as u32)));
        let nans = [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fa0_0000, 0xff80_1fff];
        all.extend(nans.map(f32::from_bits));
        all
    }

    fn right(x: f32) -> u16 {
        let size = match x.abs() {
            65520.0.. => 0x7c00,
            nan if nan.is_nan() => return 0x7e00,
            size => f32_to_f16(size),
        };
        (x.to_bits() >> 16) as u16 & 0x8000 | size
    }

    /// By what became of the size, which is one step off in most cases.
    fn likely(x: &f32, expected: &u16, found: Option<&u16>) -> &'static str {
        let Some(found) = found else { return "" };
        let [right, wrong] = [expected, found].map(|bits| bits & 0x7fff);
        let is_middle = |x: f32| (f16_to_f32(right) + f16_to_f32(wrong)) / 2.0 == x;
        match (right, wrong) {
            (0x7e00, 0x7c00) => {
                "all ones of this fraction are in the bits that go, and without them it is infinity"
            }
            (0x7bff, 0x7c00) => "this is still nearer to 65504 than to the next step",
            (1..0x400, 0) => {
                "a subnormal number became zero: without the 1 in front they are numbers too"
            }
            _ if right == wrong + 0x400 && right & 0x3ff == 0 => {
                "all ten bits of the fraction were 1, and it was rounded up: where did the carry go?"
            }
            _ if wrong == right + 1 && is_middle(x.abs()) => {
                "it takes every half away from zero: the one whose last bit is 0 is asked for"
            }
            (1..0x400, _) if right.abs_diff(wrong) == 1 && !is_middle(x.abs()) => {
                "a subnormal number is rounded twice, and the first time made an exact half of it"
            }
            _ => "",
        }
    }
}
