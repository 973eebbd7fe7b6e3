//? title: A 16-bit float widened by hand
//? page: ch03/file.md
//? section: Numbers of three types
//? level: core
//? minutes: 30
//? call: check(widen)
//? hint 1: Write both layouts under each other: sign 1, exponent 5, mantissa 10; sign 1, exponent 8, mantissa 23. The exponents are stored with 15 and 127 added.
//? hint 2: An ordinary number: sign to bit 31, exponent + 112 to bit 23, mantissa shifted left by 13. Exponent 31 becomes 255. Exponent 0 is not a small exponent but another formula.
//? hint 3: Exponent 0 means mantissa * 2^-24, without the hidden 1: as an f32 that is an ordinary number, `mantissa as f32 * 2^-24` is exact. Build the others with `f32::from_bits`.
//? why: Every f16 is also an f32, so nothing is rounded. Only for subnormal numbers can the bits not simply be moved. An
//?   f32 has room for their exponent, so the number must be normalised, and a multiplication by a power of two does that.

// Turn the 16 bits of an IEEE half-precision float into the f32 of the same value, without a library:
//
// - bit 15 is the sign, bits 10 to 14 the exponent, bits 0 to 9 the mantissa.
// - exponent 1 to 30: (1 + mantissa / 1024) * 2^(exponent - 15)
// - exponent 0: mantissa / 1024 * 2^-14 (zero, minus zero, and the subnormal numbers)
// - exponent 31: infinity when the mantissa is 0, otherwise NaN (any NaN will do)
//
// The check tries all 65,536.

pub fn widen(bits: u16) -> f32 {
    //-- starter
    // todo!()
    //-- solution
    let sign = u32::from(bits >> 15) << 31;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let mantissa = u32::from(bits & 0x3ff);
    let magnitude = match exponent {
        0 => (mantissa as f32 * 2f32.powi(-24)).to_bits(),
        31 => 255 << 23 | mantissa << 13,
        _ => (exponent + 127 - 15) << 23 | mantissa << 13,
    };
    f32::from_bits(sign | magnitude)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Near, call, f16_to_f32, same_numbers};

    pub fn check(answer: fn(u16) -> f32) -> Checked {
        // 1, -2 and 65504 first: the plain ones.
        for bits in [0x3c00, 0xc000, 0x7bff].into_iter().chain(0..=u16::MAX) {
            let exponent = bits >> 10 & 0x1f;
            let case = format!(
                "bits {bits:#06x}: sign {}, exponent {exponent}, mantissa {}",
                bits >> 15,
                bits & 0x3ff
            );
            let found = call(&case, || answer(bits))?;
            let expected = f16_to_f32(bits);
            let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
            let with_one = sign * (1.0 + f32::from(bits & 0x3ff) / 1024.0);
            let mut mistakes = vec![(
                "the bits were taken for a bfloat16, which is another type",
                f32::from_bits(u32::from(bits) << 16),
            )];
            match exponent {
                0 => mistakes.push((
                    "exponent 0 has no hidden 1: subnormal numbers have a formula of their own",
                    with_one * 2f32.powi(-15),
                )),
                31 => mistakes.push((
                    "exponent 31 is not a power of two: infinity, or NaN",
                    with_one * 65536.0,
                )),
                _ => {}
            }
            if exponent == 0 && bits & 0x3ff != 0 {
                mistakes.push((
                    "the subnormal numbers became zero: exponent 0 with a mantissa",
                    sign * 0.0,
                ));
            }
            if (1..31).contains(&exponent) {
                mistakes.push((
                    "the exponent was moved as it is stored, and the two types do not store it alike",
                    with_one * 2f32.powi(i32::from(exponent)),
                ));
            }
            if bits == 0x8000 {
                mistakes.push(("minus zero lost its sign", 0.0));
            }
            let mistakes: Vec<_> =
                mistakes.into_iter().map(|(reason, value)| (reason, vec![value])).collect();
            same_numbers(
                &case,
                &[("number", 1)],
                Near::Bits,
                &[expected],
                &[found],
                &mistakes,
            )?;
        }
        Ok(())
    }
}
