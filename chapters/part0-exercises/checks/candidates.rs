use exercise_kit::{Checked, Failure, call};

pub fn check(answer: impl Fn(&[f64], usize, f64) -> Vec<usize>) -> Checked {
    // Sums of these are exact, so that "reaches p" has no rounding in it.
    let five: &[f64] = &[0.125, 0.5, 0.0625, 0.25, 0.0625];
    let sorted = "most likely first";
    let all = "0 means all";
    let crossing =
        "the token that crosses the line belongs to the set: without it the sum stays below p";
    let one = "at least one token must be left to draw";
    let ties = "of equal ones the lower id first: the order must not depend on the sort";
    let share = "p is a share of what top-k left, not of everything";
    type Case<'a> = (&'a [f64], usize, f64, &'a [usize], &'static str);
    let cases: [Case; 12] = [
        (five, 3, 1.0, &[1, 3, 0], sorted),
        (five, 1, 1.0, &[1], sorted),
        (five, 0, 1.0, &[1, 3, 0, 2, 4], all),
        (five, 99, 1.0, &[1, 3, 0, 2, 4], "top_k may be larger than the vocabulary"),
        (five, 0, 0.75, &[1, 3], "p is reached when the sum equals it"),
        (five, 0, 0.8, &[1, 3, 0], crossing),
        (five, 0, 0.3, &[1], crossing),
        (five, 0, 0.0, &[1], one),
        (five, 2, 0.6, &[1], share),
        (five, 2, 0.7, &[1, 3], crossing),
        (&[0.25, 0.25, 0.25, 0.25], 2, 1.0, &[0, 1], ties),
        (&[0.25, 0.25, 0.25, 0.25], 0, 0.5, &[0, 1], ties),
    ];
    for (probabilities, top_k, top_p, expected, reason) in cases {
        let case = format!("probabilities {probabilities:?}, top_k {top_k}, top_p {top_p}");
        let found = call(&case, || answer(probabilities, top_k, top_p))?;
        if found == expected {
            continue;
        }
        let mut by_id = (found.clone(), expected.to_vec());
        by_id.0.sort_unstable();
        by_id.1.sort_unstable();
        // The right ids in another order: of equal ones, or of all.
        let level = |id: &usize| probabilities.get(*id).copied().unwrap_or(f64::NAN);
        let descending = found.windows(2).all(|pair| level(&pair[0]) >= level(&pair[1]));
        let reason = match (by_id.0 == by_id.1, descending) {
            (true, true) => ties,
            (_, false) => sorted,
            _ => reason,
        };
        return Err(
            Failure::new(&case, format!("{expected:?}"), format!("{found:?}")).likely(reason)
        );
    }
    Ok(())
}
