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
    use exercise_kit::{Checked, Failure, Random, call, f16_to_f32};
    use std::cell::Cell;

    /// One number, and what came of it.
    struct Asked {
        x: f32,
        expected: u16,
        found: u16,
    }

    const NO_PLACES: &str = "below 2^-32 the mantissa was moved by 32 places or more, and a shift of an u32 has 31 at most";

    pub fn check(answer: fn(f32) -> u16) -> Checked {
        let mut asked = numbers();
        let now = Cell::new(0.0);
        let all = call("", || {
            for one in &mut asked {
                now.set(one.x);
                one.found = answer(one.x);
            }
        });
        all.map_err(|failure| stopped(failure, now.get()))?;
        compare(&asked)?;
        for bits in
            [0x7fc0_0000, 0xffc0_0000, 0x7f80_0001, 0x7fa0_0000, 0xff80_1fff, 0x7fff_ffff]
        {
            let x = f32::from_bits(bits);
            let case = case(x);
            let found = call(&case, || answer(x))?;
            if is_nan(found) {
                continue;
            }
            let failure = Failure::new(&case, "any NaN", shown(found));
            let infinite = found & 0x7fff == 0x7c00;
            let begins_with_ones = bits & 0x007f_e000 != 0;
            return Err(match infinite {
            true if !begins_with_ones => failure.likely(
                "all ones of this fraction are in the bits that go, and without them it is infinity",
            ),
            true => failure.likely("a NaN became infinity: its exponent alone does not tell them apart"),
            false => failure.likely("a NaN became a number: it has to stay one"),
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

    fn is_nan(bits: u16) -> bool {
        bits & 0x7fff > 0x7c00
    }

    fn stopped(failure: Failure, x: f32) -> Failure {
        let failure = Failure { case: case(x), ..failure };
        if failure.found.contains("shift") { failure.likely(NO_PLACES) } else { failure }
    }

    /// Some whose bits can be worked out by hand; then all that there are, with the middles; then any.
    fn numbers() -> Vec<Asked> {
        let mut asked = Vec::new();
        let mut ask = |x: f32, expected: u16| asked.push(Asked { x, expected, found: 0 });
        for (x, expected) in [
            (1.0, 0x3c00),
            (-2.0, 0xc000),
            (0.1, 0x2e66),
            (2050.5, 0x6801),
            (2051.5, 0x6802),
            (2049.0, 0x6800),
            (2051.0, 0x6802),
            (-2049.0, 0xe800),
            (-2051.0, 0xe802),
            (4095.5, 0x6c00),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (-65520.0, 0xfc00),
            (1e6, 0x7c00),
            (f32::MAX, 0x7c00),
            (f32::INFINITY, 0x7c00),
            (f32::NEG_INFINITY, 0xfc00),
            (0.0, 0x0000),
            (-0.0, 0x8000),
            (6.1035e-5, 0x0400),
            (6.1e-5, 0x03ff),
            (1e-5, 0x00a8),
            (6e-8, 0x0001),
            (4e-8, 0x0001),
            (2e-8, 0x0000),
            (-2e-8, 0x8000),
            (1e-20, 0x0000),
            (1e-40, 0x0000),
        ] {
            ask(x, expected);
        }
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
                ask(x, expected);
                ask(-x, expected | 0x8000);
            }
        }
        let mut random = Random::new(80);
        for _ in 0..5_000 {
            let x = f32::from_bits(random.bits() as u32);
            if !x.is_nan() {
                ask(x, nearest(x));
            }
        }
        asked
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

    fn nearest(x: f32) -> u16 {
        rounded(x, is_up)
    }

    /// The same where `changed` has done something to the number.
    fn nearest_after(x: f32, changed: f32) -> u16 {
        sign(x) | (nearest(changed) & 0x7fff)
    }

    fn compare(asked: &[Asked]) -> Checked {
        let Some(first) = asked.iter().find(|one| one.found != one.expected) else {
            return Ok(());
        };
        let failure = Failure::new(&case(first.x), shown(first.expected), shown(first.found));
        let explains = |way: &Way| asked.iter().all(|one| way(one.x) == one.found);
        if let Some((reason, _)) = mistakes().iter().find(|(_, way)| explains(way)) {
            return Err(failure.likely(reason));
        }
        let wrong = || asked.iter().filter(|one| one.found != one.expected);
        let factor = |one: &Asked| f16_to_f32(one.found) / f16_to_f32(one.expected);
        // So many of the dropped bits are not looked at.
        let unseen = |bits: u32| {
            let seen = |x: f32| nearest(f32::from_bits(x.to_bits() & (u32::MAX << bits)));
            asked.iter().all(|one| seen(one.x) == one.found)
        };
        Err(if (1..13).any(unseen) {
            failure.likely(
            "this is a little more than half, and was taken for a half: all dropped bits count",
        )
        } else if wrong().all(|one| one.x != 0.0 && one.x.abs() < 2f32.powi(-32)) {
            failure.likely(NO_PLACES)
        } else if factor(first).log2().fract() == 0.0 {
            failure.likely(
                "off by a power of two: an exponent of 15 means here what 127 means in an f32",
            )
        } else {
            failure
        })
    }

    type Way = fn(f32) -> u16;

    const SIGN: &str = "there are two zeros: the sign stays when a number becomes one";
    const CARRY: &str =
        "all ten bits of the fraction were 1, and it was rounded up: where did the carry go?";
    const LARGEST: &str = "it stops at the largest number: from 65520 on, x becomes infinity";
    const HALF_UP: &str =
        "it takes every half away from zero: the one whose last bit is 0 is asked for";

    fn mistakes() -> Vec<(&'static str, Way)> {
        let flushed =
            "a subnormal number became zero: without the 1 in front they are numbers too";
        vec![
            (
                "the dropped bits are cut off: some are more than half a step, and round up",
                |x| rounded(x, |_, _| false),
            ),
            (HALF_UP, |x| rounded(x, |_, rest| rest >= 0.5)),
            (
                "it takes every half towards zero: the one whose last bit is 0 is asked for",
                |x| rounded(x, |_, rest| rest > 0.5),
            ),
            (
                "of two that are as near it is the one whose last bit is 0, and here it is 1",
                |x| rounded(x, |below, rest| rest > 0.5 || (rest == 0.5 && below % 2 == 0)),
            ),
            (
                "it takes every half upwards, towards infinity: the one whose last bit is 0 is asked for",
                |x| rounded(x, |_, rest| rest > 0.5 || (rest == 0.5 && sign(x) == 0)),
            ),
            ("any rest rounds up: less than half a step goes down", |x| {
                rounded(x, |_, rest| rest > 0.0)
            }),
            (flushed, |x| if below(x).0 < 0x400 { sign(x) } else { nearest(x) }),
            (flushed, |x| if nearest(x) & 0x7fff < 0x400 { sign(x) } else { nearest(x) }),
            ("subnormal numbers are cut off: they are rounded as well", |x| {
                rounded(x, |below, rest| below >= 0x400 && is_up(below, rest))
            }),
            ("more than half of the smallest number is nearer to it than to zero", |x| {
                rounded(x, |below, rest| below > 0 && is_up(below, rest))
            }),
            (
                "a subnormal number lost the 1 in front of its fraction: the f32 does not store it",
                |x| {
                    let leading = f32::from_bits(x.to_bits() & 0x7f80_0000);
                    match below(x).0 {
                        0..0x400 => nearest_after(x, x.abs() - leading),
                        _ => nearest(x),
                    }
                },
            ),
            (
                "a subnormal number is rounded twice, and the first time made an exact half of it",
                |x| {
                    if x.is_infinite() {
                        return nearest(x);
                    }
                    let bits = x.to_bits();
                    let ten = (bits + 0xfff + (bits >> 13 & 1)) & !0x1fff;
                    nearest_after(x, f32::from_bits(ten))
                },
            ),
            (CARRY, |x| {
                let (below, rest) = below(x);
                let up = u16::from(is_up(below, rest));
                sign(x) | (below & 0x7c00) | ((below & 0x3ff) + up) & 0x3ff
            }),
            (CARRY, |x| {
                let (below, rest) = below(x);
                let up = u16::from(is_up(below, rest));
                sign(x) | (below & 0x7c00) | ((below & 0x3ff) + up)
            }),
            (
                "65520 is in the middle of 65504 and the next step: from there on, x becomes infinity",
                |x| rounded(x, |below, rest| below < 0x7bff && is_up(below, rest)),
            ),
            ("this is still nearer to 65504 than to the next step", |x| {
                if x.abs() > 65504.0 { sign(x) | 0x7c00 } else { nearest(x) }
            }),
            (LARGEST, |x| match x.is_infinite() {
                true => nearest(x),
                false => sign(x) | (nearest(x) & 0x7fff).min(0x7bff),
            }),
            ("infinity is a number here: it stays infinity", |x| {
                sign(x) | (nearest(x) & 0x7fff).min(0x7bff)
            }),
            ("infinity became NaN: its fraction is 0", |x| {
                if x.is_infinite() { sign(x) | 0x7e00 } else { nearest(x) }
            }),
            ("the sign is lost", |x| nearest(x.abs())),
            (SIGN, |x| if x == 0.0 { 0 } else { nearest(x) }),
            (SIGN, |x| if nearest(x) == 0x8000 { 0 } else { nearest(x) }),
            (SIGN, |x| if x.abs() < 2f32.powi(-25) { 0 } else { nearest(x) }),
            (
                "these are the upper sixteen bits: as a 16-bit float they mean something else",
                |x| (x.to_bits() >> 16) as u16,
            ),
        ]
    }
}
