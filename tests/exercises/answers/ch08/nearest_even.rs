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
    use exercise_kit::explained::{Mistake, ask_all};
    use exercise_kit::{Checked, Failure, Random, call, f16_to_f32};

    /// A number and the bits that it becomes.
    type Given = (f32, u16);

    pub fn check(answer: fn(f32) -> u16) -> Checked {
        ask_all(
            numbers(),
            |(x, _)| case(*x),
            |(x, _)| answer(*x),
            |(_, expected)| *expected,
            &mistakes(),
            |expected, found| (shown(*expected), shown(*found)),
        )?;
        for bits in
            [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fa0_0000, 0xff80_1fff, 0x7fff_ffff]
        {
            let x = f32::from_bits(bits);
            let found = call(&case(x), || answer(x))?;
            if found & 0x7fff > 0x7c00 {
                continue;
            }
            let failure = Failure::new(&case(x), "any NaN", shown(found));
            return Err(match found & 0x7fff == 0x7c00 && bits & 0x007f_e000 == 0 {
                true => failure.likely(
                    "all ones of this fraction are in the bits that go, and without them it is infinity",
                ),
                false => failure,
            });
        }
        Ok(())
    }

    fn case(x: f32) -> String {
        format!("{x:?} (bits {:#010x})", x.to_bits())
    }

    fn shown(bits: u16) -> String {
        format!("{bits:#06x}, which is {:?}", f16_to_f32(bits))
    }

    /// Some whose bits can be worked out by hand; then all that there are, with the middles; then any.
    fn numbers() -> Vec<Given> {
        let mut all = vec![
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.1, 0x2e66),
            (2049.0, 0x6800),
            (2051.0, 0x6802),
            (4095.5, 0x6c00),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (f32::MAX, 0x7c00),
            (f32::NEG_INFINITY, 0xfc00),
            (-0.0, 0x8000),
            (6.1e-5, 0x03ff),
            (4e-8, 0x0001),
            (-2e-8, 0x8000),
            (1e-20, 0x0000),
            (1e-40, 0x0000),
        ];
        for below in 0..0x7c00 {
            let above = below + 1;
            let low = f16_to_f32(below);
            let high = if above == 0x7c00 { 65536.0 } else { f16_to_f32(above) };
            // Exact: half a step takes one bit more than a step, and an f32 has thirteen more.
            let middle = (low + high) / 2.0;
            let even = below + below % 2;
            for (x, expected) in [
                (low, below),
                (low.next_up(), below),
                (middle.next_down(), below),
                (middle, even),
                (middle.next_up(), above),
                (high.next_down(), above),
            ] {
                all.extend([(x, expected), (-x, expected | 0x8000)]);
            }
        }
        let mut random = Random::new(80);
        for _ in 0..5_000 {
            let x = f32::from_bits(random.bits() as u32);
            if !x.is_nan() {
                all.push((x, rounded(x, is_up)));
            }
        }
        all
    }

    /// The bits of the 16-bit float below, without a sign, and how much is left in parts of a step.
    fn below(x: f32) -> (u16, f64) {
        let size = f64::from(x.abs());
        if size >= 65536.0 {
            return (0x7c00, 0.0);
        }
        // 1,024 steps for each power of two; the smallest numbers have those of 2^-14.
        let exponent = ((size.to_bits() >> 52) as i32 - 1023).max(-14);
        let steps = size * 2f64.powi(10 - exponent);
        (((exponent + 14) << 10) as u16 + steps as u16, steps.fract())
    }

    fn sign(x: f32) -> u16 {
        if x.is_sign_negative() { 0x8000 } else { 0 }
    }

    fn rounded(x: f32, up: impl Fn(u16, f64) -> bool) -> u16 {
        let (below, rest) = below(x);
        sign(x) | (below + u16::from(up(below, rest)))
    }

    fn is_up(below: u16, rest: f64) -> bool {
        rest > 0.5 || (rest == 0.5 && below % 2 == 1)
    }

    fn mistakes() -> Vec<Mistake<Given, u16>> {
        vec![
            (
                "it takes every half away from zero: the one whose last bit is 0 is asked for",
                |(x, _)| rounded(*x, |_, rest| rest >= 0.5),
            ),
            (
                "a subnormal number became zero: without the 1 in front they are numbers too",
                |(x, right)| if below(*x).0 < 0x400 { sign(*x) } else { *right },
            ),
            (
                "a subnormal number is rounded twice, and the first time made an exact half of it",
                |(x, right)| {
                    if x.is_infinite() {
                        return *right;
                    }
                    let bits = x.to_bits();
                    let ten = f32::from_bits((bits + 0xfff + (bits >> 13 & 1)) & !0x1fff);
                    sign(*x) | (rounded(ten, is_up) & 0x7fff)
                },
            ),
            (
                "all ten bits of the fraction were 1, and it was rounded up: where did the carry go?",
                |(x, _)| {
                    let (below, rest) = below(*x);
                    let up = u16::from(is_up(below, rest));
                    sign(*x) | (below & 0x7c00) | ((below & 0x3ff) + up) & 0x3ff
                },
            ),
            ("this is still nearer to 65504 than to the next step", |(x, right)| {
                if x.abs() > 65504.0 { sign(*x) | 0x7c00 } else { *right }
            }),
        ]
    }
}
