use exercise_kit::{Checked, Failure, call_or};

pub fn check(answer: impl Fn(&[f32]) -> usize) -> Checked {
    const NAN: f32 = f32::NAN;
    const LOW: f32 = f32::NEG_INFINITY;
    let cases: [(&[f32], usize, &'static str); 11] = [
        (&[0.5, 2.0, 1.0], 1, "asked is the index of the largest"),
        (&[-3.0, -1.0, -2.0], 1, "scores may be all negative: do not begin with 0.0"),
        (&[1.0, 3.0, 3.0, 0.0], 1, "the first of equal scores wins"),
        (&[1.0, NAN, 2.0], 2, "NaN won; it never does"),
        (
            &[NAN, 1.0, 2.0],
            2,
            "a NaN that stood first was never replaced: > is false beside NaN",
        ),
        (&[LOW, NAN], 0, "NaN won; it never does, not even against minus infinity"),
        (&[NAN, LOW], 1, "a NaN that stood first was never replaced: > is false beside NaN"),
        (&[-NAN, NAN, 0.0, NAN], 2, "NaN won; it never does"),
        (&[NAN, NAN], 0, "all NaN: the answer is 0"),
        (&[], 0, "no scores: the answer is 0"),
        (&[f32::INFINITY, 1.0], 0, "infinity is the largest score"),
    ];
    for (logits, expected, reason) in cases {
        let case = format!("argmax of {logits:?}");
        let no_order = if logits.is_empty() {
            reason
        } else {
            "a comparison with NaN has no order to unwrap"
        };
        let found = call_or(&case, expected, no_order, || answer(logits))?;
        if found != expected {
            return Err(Failure::new(&case, expected, found).likely(reason));
        }
    }
    Ok(())
}
