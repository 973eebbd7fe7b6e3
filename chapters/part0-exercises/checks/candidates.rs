use exercise_kit::{Checked, Failure, call};

pub fn check(answer: impl Fn(&[f64], usize, f64) -> Vec<usize>) -> Checked {
    // Sums of these are exact, so that "reaches p" has no rounding in it.
    let five: &[f64] = &[0.125, 0.5, 0.0625, 0.25, 0.0625];
    let quarters: &[f64] = &[0.25; 4];
    let nearly: &[f64] = &[0.25 - f64::EPSILON, 0.25, 0.5];
    let sorted = "most likely first";
    let all = "0 means all";
    let crossing =
        "the token that crosses the line belongs to the set: without it the sum stays below p";
    let one = "at least one token must be left to draw";
    let order = "of equal ones the lower id first: the order must not depend on the sort";
    let ties =
        "cut among equal tokens by their ids: all that are as likely as the last one come in";
    let tolerance = "equal means exactly equal: a tolerance lets less likely tokens in";
    let share = "p is a share of what top-k left, not of everything, and not a sum by itself";
    let whole = "at 1.0 nothing is cut, not even tokens that add nothing to the sum";
    let exact = "these are numbers of 64 bits: one of 32 loses a share that decides";
    let large = "top_k may be as large as a usize";
    let one_more: &[f64] = &[1.0, 2f64.powi(-30)];
    // Sorts that may change the order of equal ones keep it in a short list.
    let long: Vec<f64> = (0..64).map(|id| if id % 3 == 1 { 0.5 } else { 0.25 }).collect();
    let (likely, rest): (Vec<usize>, Vec<usize>) = (0..64).partition(|id| id % 3 == 1);
    let sorted_long = [likely, rest].concat();
    type Case<'a> = (&'a [f64], usize, f64, &'a [usize], &'static str);
    let cases: [Case; 25] = [
        (five, 3, 1.0, &[1, 3, 0], sorted),
        (five, 1, 1.0, &[1], sorted),
        (five, 0, 1.0, &[1, 3, 0, 2, 4], all),
        (five, 99, 1.0, &[1, 3, 0, 2, 4], "top_k may be larger than the vocabulary"),
        (five, 0, 0.75, &[1, 3], "p is reached when the sum equals it"),
        (five, 0, 0.8, &[1, 3, 0], crossing),
        (five, 0, 0.3, &[1], crossing),
        (five, 0, 0.0, &[1], one),
        (five, 2, 0.6, &[1], share),
        (five, 2, 0.7, &[1, 3], share),
        (&[2.0, 1.0, 0.5, 0.5], 0, 0.7, &[0, 1], share),
        (&[0.5, 0.5, 0.0], 0, 1.0, &[0, 1, 2], whole),
        (five, 4, 1.0, &[1, 3, 0, 2, 4], ties),
        (quarters, 2, 1.0, &[0, 1, 2, 3], ties),
        (five, 0, 0.9, &[1, 3, 0, 2, 4], ties),
        (quarters, 0, 0.5, &[0, 1, 2, 3], ties),
        (quarters, 2, 0.5, &[0, 1, 2, 3], ties),
        (nearly, 2, 1.0, &[2, 1], tolerance),
        (nearly, 0, 0.7, &[2, 1], tolerance),
        (one_more, 0, 1.0 - 2f64.powi(-40), &[0, 1], exact),
        (&long, 0, 1.0, &sorted_long, order),
        (&long, 257, 1.0, &sorted_long, large),
        (five, usize::MAX, 1.0, &[1, 3, 0, 2, 4], large),
        (&[0.5, 0.0, 0.0], 2, 1.0, &[0, 1, 2], ties),
        (&[0.0, 0.0], 0, 0.5, &[0, 1], ties),
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
            (true, true) => order,
            (_, false) => sorted,
            _ => reason,
        };
        return Err(
            Failure::new(&case, format!("{expected:?}"), format!("{found:?}")).likely(reason)
        );
    }
    Ok(())
}
