//? title: The other direction: 32 numbers into a block of Q8_0
//? page: part0/eight-bits.md
//? section: A block of Q8_0
//? level: core
//? minutes: 30
//? call: check(pack_q8_0)
//? hint 1: A signed byte goes from -128 to 127. Which of the 32 numbers decides how large a step must be, and which byte should it become?
//? hint 2: The scale is the largest absolute value divided by 127. The reader of the file multiplies with the scale that is *stored*, which was rounded to 16 bits: divide by that one.
//? hint 3: `let bits = f32_to_f16(largest / 127.0); let scale = f16_to_f32(bits);` then byte i is `(x[i] / scale).round() as i8 as u8`, and `bits.to_le_bytes()` are the first two. For a scale of 0 all bytes are 0.
//? why: The number with the largest absolute value becomes 127 or -127, so the whole range of a byte is used and nothing is
//?   cut off. We divide by the scale as the file will hold it, because that is the one the reader multiplies with. A cast
//?   from float to `i8` drops the fraction, so `round` comes first. For the block of zeros 0 / 0 is NaN, and in Rust NaN as
//?   `i8` is 0.

// The page reads blocks of Q8_0. Write one: 32 numbers become 34 bytes, first a scale (a 16-bit float, least
// significant byte first), then 32 signed bytes.
//
// The scale is the largest absolute value divided by 127, rounded to 16 bits. Each byte is chosen so that scale * byte, with
// the scale as it is stored, is as near to its number as possible. 32 zeros give 34 zeros.
//
// `exercise_kit::f32_to_f16(x)` gives the bits of the 16-bit float nearest to x, `f16_to_f32(bits)` goes back.

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

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Random, call, f16_to_f32, f32_to_f16};

    pub fn check(answer: fn(&[f32; 32]) -> [u8; 34]) -> Checked {
        let mut random = Random::new(15);
        // Steps of a scale of 1: each of the first brings one thing that can go wrong.
        let of = |step: &dyn Fn(f32) -> f32, last: f32| -> [f32; 32] {
            std::array::from_fn(|i| if i == 31 { last } else { step(i as f32) })
        };
        let mut cases = vec![
            (of(&|i| i, 127.0), "divided by 128, which is no signed byte: the largest is 127"),
            (of(&|i| -i, 127.0), "a negative number became 0: what does a cast do below 0?"),
            (
                of(&|i| i, -127.0),
                "the largest number decides the scale; it is the largest absolute value, and that may be negative",
            ),
            (of(&|i| i + 0.75, 127.0), "the fraction is dropped: a cast does not round"),
        ];
        let seen = "these are steps of a scale that no reader of the file will see";
        let low = "more than 127 steps became a negative byte: a cast between integers keeps the low bits";
        // From the smallest scale of 16 bits, which was rounded by a third, to one near the largest.
        let sizes = [(1.0, 0.75, seen), (0.01, -0.02, seen), (0.0, 0.0, ""), (7e-6, 8e-6, low)];
        for (size, last, likely) in sizes.into_iter().chain([(8e6, 3.0, seen)]) {
            for _ in 0..30 {
                let mut x: [f32; 32] = std::array::from_fn(|_| random.number() * size);
                x[31] = last;
                cases.push((x, likely));
            }
        }
        cases.iter().try_for_each(|(x, likely)| {
            let case = format!("the numbers {x:?}");
            let found = call(&case, || answer(x))?;
            one(&case, x, found).map_err(|failure| failure.likely(likely))
        })
    }

    fn one(case: &str, x: &[f32; 32], found: [u8; 34]) -> Checked {
        let largest = x.iter().fold(0.0f32, |largest, x| largest.max(x.abs()));
        let bits = f32_to_f16(largest / 127.0);
        let scale = f16_to_f32(bits);
        let found_bits = u16::from_le_bytes([found[0], found[1]]);
        if found_bits != bits {
            let shown = |bits: u16| format!("scale {:e} (bits {bits:04x})", f16_to_f32(bits));
            return Err(Failure::new(case, shown(bits), shown(found_bits)).at("bytes 0 and 1"));
        }
        let back = |i: usize| scale * f32::from(found[2 + i] as i8);
        let half = scale / 2.0;
        // The scale of the smallest numbers may be so much too small that 127 steps do not reach.
        let nearest = |x: f32| scale * (x / scale).round().clamp(-127.0, 127.0);
        let allowed = |i: usize| half.max((nearest(x[i]) - x[i]).abs());
        let Some(i) = (0..32).find(|&i| (back(i) - x[i]).abs() > allowed(i) * 1.001) else {
            return Ok(());
        };
        let expected = format!("{} to within {}", x[i], allowed(i));
        let found = format!("byte {:#04x}, which comes back as {}", found[2 + i], back(i));
        Err(Failure::new(case, expected, found).at(format!("number {i}")))
    }
}
