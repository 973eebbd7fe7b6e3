use exercise_kit::{Checked, Failure, call, same};

pub fn check(answer: impl Fn(&[f32], &[f32]) -> Option<usize>) -> Checked {
    let next = f32::from_bits(1.0f32.to_bits() + 1);
    type Case<'a> = (&'a [f32], &'a [f32], Option<usize>, &'static str);
    let payload = f32::from_bits(0x7fc0_0001);
    let bits = "two NaNs with different bits are different";
    let first = "the first difference counts, and it may come before the lengths differ";
    let cases: [Case; 15] = [
        (&[1.0, 2.0], &[1.0, 2.0], None, ""),
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
        (
            &[1.0, 2.0],
            &[1.0],
            Some(1),
            "one slice is longer, and no difference was found: where did the search stop?",
        ),
        (
            &[],
            &[3.0],
            Some(0),
            "one slice is longer, and no difference was found: where did the search stop?",
        ),
        (&[], &[], None, ""),
        (&[f32::NAN], &[payload], Some(0), bits),
        (&[1.0, 5.0], &[2.0], Some(0), first),
        (
            &[2.0, 1.0],
            &[1.0, 2.0],
            Some(0),
            "the sums agree, the numbers do not: compare one by one",
        ),
        (&[1.0, 2.0, 3.0], &[1.0, 2.5, 2.5], Some(1), ""),
        (&[0.0, 1e-45], &[0.0, 0.0], Some(1), "the smallest numbers are not zero"),
        (&[1e30, 1.0], &[1e30, 2.0], Some(1), "relative closeness is not equality"),
        (&[f32::INFINITY; 3], &[f32::INFINITY; 3], None, "infinity - infinity is NaN"),
    ];
    for (left, right, expected, reason) in cases {
        let case = format!("{left:?} and {right:?}");
        let found = call(&case, || answer(left, right))?;
        if found != expected {
            let failure = Failure::new(&case, format!("{expected:?}"), format!("{found:?}"));
            return Err(if reason.is_empty() { failure } else { failure.likely(reason) });
        }
    }
    let case = "70001 numbers, of which the last differs";
    let (left, mut right) = (vec![1.0; 70_001], vec![1.0; 70_001]);
    right[70_000] = 2.0;
    let found = call(case, || answer(&left, &right))?;
    let mistakes = [("an index may need more than 16 bits", Some(70_000 - 65_536))];
    same(case, &Some(70_000), &found, &mistakes)
}
