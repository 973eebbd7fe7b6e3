//? title: A block of Q8_0 as the reference writes it, to the byte
//? page: ch05/rounding.md
//? section: By hand
//? level: deep
//? minutes: 25
//? call: check(quantize_block)
//? hint 1: Write down each operation of the task with its type: a division, its reciprocal, 32 products, 32 roundings, and one conversion to 16 bits. Which of them sees the number that another one has rounded?
//? hint 2: The integers come from `id` alone, and `id` from `d` as an `f32`; the 16-bit scale is for bytes 0 and 1 only. `f32::round` takes halves away from zero. `f32::max` passes over NaN, so look at every number.
//? hint 3: `let d = largest / 127.0;` and `let id = 1.0 / d;`, set to 0.0 unless `id.is_finite()`. Then byte 2 + i is `(x[i] * id).round() as i8 as u8`, and `f32_to_f16(d).to_le_bytes()` are the first two.
//? why: Two programs that write the same file from the same weights have to round at the same places. `x / d` and `x * (127 / largest)`
//?   are as good as `x * (1 / d)`, and now and then the last bit differs; if the product is near a half, the integer does too. The
//?   reference computes the integers with a scale that is not the stored one, so a block can have integers and a stored scale of 0.
//?   It reads back as zeros. NaN has to be looked for: it is neither larger nor smaller than anything, and `f32::max` drops it.

// Write 32 numbers as a block of Q8_0, with the same bytes as the reference implementation of the format. All arithmetic is
// in `f32`, and every operation rounds:
//
// - `d` is the largest absolute value divided by 127. Bytes 0 and 1 are the nearest 16-bit float, least significant byte first.
// - `id` is 1 / d. Where that is infinite, because d is 0 or nearly so, `id` is 0.
// - Byte 2 + i is the signed integer nearest to `x[i] * id`. A half is rounded away from zero: 2.5 to 3, and -2.5 to -3.
//
// A block with a NaN or an infinity cannot be written: return `None`. All other numbers are from minus a million to a million.
//
// The exercise `pack_q8_0` of the ground floor divided by the scale as it is stored. Here `d` stays as it is. The engine rounds
// the rows of x by nearly the same rule, but takes halves to the even integer: the instructions of a CPU do that.
// `exercise_kit::f32_to_f16(d)` gives the bits of the 16-bit float nearest to d.

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

//-- check
pub mod check {
    use exercise_kit::explained::ask_each;
    use exercise_kit::{Checked, f16_to_f32, f32_to_f16};

    /// Blocks of numbers, and what the Python package `gguf` makes of them: `lab/reference/quantized_blocks.py`.
    const NUMBERS: &[u8] = include_bytes!("../../../../tests/fixtures/quantize/q8_0.f32");
    const STORED: &[u8] = include_bytes!("../../../../tests/fixtures/quantize/q8_0.stored");

    type Numbers = [f32; 32];
    type Block = [u8; 34];

    /// Numbers, and the block that they become, if there is one.
    type Asked = (Numbers, Option<Block>);

    pub fn check(answer: fn(&Numbers) -> Option<Block>) -> Checked {
        let case = |(_, (x, _)): &(&str, Asked)| format!("the numbers {x:?}");
        ask_each(
            blocks(),
            case,
            |(_, (x, _))| answer(x),
            |(_, (_, block))| *block,
            likely,
            shown,
        )
    }

    /// In each of the first, one thing more can go wrong. Then come some for which the reference has no answer, because 1 / d is
    /// infinite, some that cannot be written, and the blocks of the fixture.
    fn blocks() -> Vec<(&'static str, Asked)> {
        let of = |first: f32, largest: f32| -> Numbers {
            std::array::from_fn(|i| [first, 0.0, largest][i.min(2)])
        };
        let stored = "the integers were computed with d as it is stored, and the reference computes them before it was rounded to 16 bits";
        let nan = "f32::max passes over NaN, so the largest is never NaN";
        let infinite =
            "where 1 / d is infinite, id is 0: d is not always 0 there, it may be very small";
        let mut all: Vec<_> = [
            ("a half is rounded away from zero: 2.5 to 3, and -2.5 to -3", of(2.5, 127.0)),
            (
                "adding a half and rounding down moves every negative half towards zero",
                of(-2.5, 127.0),
            ),
            (stored, of(2.5002 * (100.0 / 127.0), 100.0)),
            (infinite, of(-1e-38, 1e-38)),
            (infinite, of(1e-40, -1e-40)),
            (infinite, of(0.0, f32::from_bits(1))),
            // d is subnormal, and 1 / d is finite.
            ("", of(1e-36, -1e-36)),
            ("", of(4e-37, -4e-37)),
        ]
        .map(|(likely, x)| (likely, (x, Some(block(&x)))))
        .into();
        for strange in [f32::NAN, f32::INFINITY, -f32::INFINITY] {
            for place in [0, 13, 31] {
                let mut x: Numbers = std::array::from_fn(|i| i as f32 - 9.0);
                x[place] = strange;
                all.push((nan, (x, None)));
            }
        }
        let numbers = NUMBERS.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        let numbers: Vec<f32> = numbers.collect();
        let stored = STORED.as_chunks().0.iter().copied().map(Some);
        let fixture = numbers.as_chunks().0.iter().copied().zip(stored);
        all.extend(fixture.map(|asked| (DOUBLE, asked)));
        all
    }

    const DOUBLE: &str =
        "computed in f64; the reference computes in f32, and every operation rounds";

    /// A step more or less, and nothing else, is what another rounding does.
    fn likely(
        (likely, _): &(&'static str, Asked),
        expected: &Option<Block>,
        found: Option<&Option<Block>>,
    ) -> &'static str {
        let (Some(expected), Some(Some(found))) = (expected, found) else { return likely };
        let near = |(a, b): (&u8, &u8)| (*a as i8).abs_diff(*b as i8) <= 1;
        let is_rounding = expected[..2] == found[..2] && expected.iter().zip(found).all(near);
        if *likely == DOUBLE && !is_rounding { "" } else { likely }
    }

    /// The first place where they differ.
    fn shown(expected: &Option<Block>, found: &Option<Block>) -> (String, String) {
        let (Some(expected), Some(found)) = (expected, found) else {
            return (format!("{expected:?}"), format!("{found:?}"));
        };
        let bits = |block: &Block| u16::from_le_bytes([block[0], block[1]]);
        let scale = |block| {
            format!("the scale {:e} (bits {:#06x})", f16_to_f32(bits(block)), bits(block))
        };
        let differs = (0..32).find(|i| expected[2 + i] != found[2 + i]);
        match differs.filter(|_| bits(expected) == bits(found)) {
            Some(i) => {
                let integer = |block: &Block| format!("integer {i} is {}", block[2 + i] as i8);
                (integer(expected), integer(found))
            }
            None => (scale(expected), scale(found)),
        }
    }

    /// By the definition, where all numbers are finite.
    fn block(x: &Numbers) -> Block {
        let d = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs())) / 127.0;
        let id = if (1.0 / d).is_finite() { 1.0 / d } else { 0.0 };
        let mut block = [0; 34];
        block[..2].copy_from_slice(&f32_to_f16(d).to_le_bytes());
        for (byte, x) in block[2..].iter_mut().zip(x) {
            *byte = (x * id).round() as i8 as u8;
        }
        block
    }
}
