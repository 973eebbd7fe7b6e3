//? title: Where two results first differ, to the bit
//? page: ch03/same-bits.md
//? section: What "the same" means
//? level: warm-up
//? minutes: 10
//? call: check(first_difference)
//? hint 1: `==` on floats is not a question about bits: find two numbers that are equal with different bits, and one that is not equal to itself.
//? hint 2: `to_bits()` gives a u32, and u32s compare as one expects. What about two slices of different lengths?
//? hint 3: `left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits())`, and when that finds nothing but the lengths differ, the answer is the shorter length.
//? why: 0.0 == -0.0 is true, although their bits differ. NaN == NaN is false, although they may be the same. A tolerance would
//?   hide the very thing this test is for: a sum in another order is always near. And `zip` stops at the end of the shorter
//?   slice, so the lengths need a line of their own.

// A kernel promises the bits of its scalar twin. Return the first index at which two results differ in their
// bits, or `None` when they are the same.
//
// Zero and minus zero are different bits; a NaN is the same as a NaN with the same bits. If one slice is a
// beginning of the other, the first index that only the longer one has is the difference.

// left: [n], right: [m]
pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    //-- starter
    // todo!()
    //-- solution
    let differing = left.iter().zip(right).position(|(l, r)| l.to_bits() != r.to_bits());
    let shorter = left.len().min(right.len());
    differing.or((left.len() != right.len()).then_some(shorter))
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call, same};

    pub fn check(answer: fn(&[f32], &[f32]) -> Option<usize>) -> Checked {
        let next = f32::from_bits(1.0f32.to_bits() + 1);
        type Case<'a> = (&'a [f32], &'a [f32], Option<usize>, &'static str);
        let payload = f32::from_bits(0x7fc0_0001);
        let longer =
            "one slice is longer, and no difference was found: where did the search stop?";
        let cases: [Case; 13] = [
            (&[1.0, 2.0], &[1.0, 2.0], None, "equal slices have no difference"),
            (
                &[1.0, 2.0, 3.0],
                &[1.0, 5.0, 4.0],
                Some(1),
                "the first difference is asked for, not the last",
            ),
            (
                &[1.0],
                &[next],
                Some(0),
                "closeness is not equality: 1 and the next float are two numbers",
            ),
            (&[f32::NAN, 1.0], &[f32::NAN, 1.0], None, "a NaN equals nothing, not even itself"),
            (&[0.0], &[-0.0], Some(0), "0.0 == -0.0 holds, and the bits differ"),
            (&[1.0, 2.0], &[1.0], Some(1), longer),
            (&[], &[3.0], Some(0), longer),
            (&[], &[], None, "equal slices have no difference"),
            (&[f32::NAN], &[payload], Some(0), "two NaNs with different bits are different"),
            (
                &[1.0, 5.0],
                &[2.0],
                Some(0),
                "the first difference counts, and it may come before the lengths differ",
            ),
            (&[2.0, 1.0], &[1.0, 2.0], Some(0), "their sums agree, the numbers do not"),
            (&[0.0, 1e-45], &[0.0, 0.0], Some(1), "the smallest numbers are not zero"),
            (&[f32::INFINITY; 3], &[f32::INFINITY; 3], None, "infinity - infinity is NaN"),
        ];
        for (left, right, expected, reason) in cases {
            let case = format!("{left:?} and {right:?}");
            let found = call(&case, || answer(left, right))?;
            if found != expected {
                let failure =
                    Failure::new(&case, format!("{expected:?}"), format!("{found:?}"));
                return Err(failure.likely(reason));
            }
        }
        let case = "70001 numbers, of which the last differs";
        let (left, mut right) = (vec![1.0; 70_001], vec![1.0; 70_001]);
        right[70_000] = 2.0;
        let found = call(case, || answer(&left, &right))?;
        let mistakes = [("an index may need more than 16 bits", Some(70_000 - 65_536))];
        same(case, &Some(70_000), &found, &mistakes)
    }
}
