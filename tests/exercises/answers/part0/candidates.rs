//? title: Top-k and top-p that treat equal tokens alike
//? page: ground/sampling.md
//? section: Top-k and top-p
//? level: deep
//? minutes: 45
//? call: check(candidates)
//? hint 1: Both cuts work the same way: first find the place as in the book, then move it to the right for as long as the next token is exactly as likely as the last one that is in. So write the moving once.
//? hint 2: Sort the ids, most likely first, equal ones by id. Top-k: cut at `top_k`. Top-p: add up what is left until the sum reaches `top_p` times the sum of all that are left. The token that reaches it is in.
//? hint 3: `let more = ids[n..].iter().take_while(|&&id| probabilities[id] == probabilities[ids[n - 1]]).count(); ids.truncate(n + more);` after each cut at n, where n is at least 1.
//? why: The book cuts among equal tokens by their ids. That is simple, and the same seed gives the same text. But an id says
//?   nothing about a token. The rule here lets all equal ones in, so it does not depend on how the vocabulary is numbered.
//?   Equal means exactly equal: a tolerance would let in tokens that are less likely.

// The book cuts equally likely tokens by their ids: of two that are equal, the lower id may be drawn and the other may not.
// Write the fairer rule, which does not look at ids:
//
// - top-k: the `top_k` most likely ones, and all that are exactly as likely as the last of these. 0 means all.
// - then top-p: of these the smallest set, most likely first, whose probabilities sum to at least `top_p` times the
//   sum of all that top-k left; and again all that are exactly as likely as the last one in it. 1.0 means all.
//
// Return the ids, most likely first, equal ones by lower id first. There is always at least one. `probabilities`
// holds no NaN and at least one number; they need not sum to 1. `top_p` is from 0 to 1.

// probabilities: [vocab]
pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    // A stable sort: equal ones stay in the order of their ids.
    ids.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    let cut = |ids: &mut Vec<usize>, n: usize| {
        let last = probabilities[ids[n - 1]];
        let equal = ids[n..].iter().take_while(|&&id| probabilities[id] == last);
        let n = n + equal.count();
        ids.truncate(n);
    };
    if (1..ids.len()).contains(&top_k) {
        cut(&mut ids, top_k);
    }
    if top_p < 1.0 {
        let enough = top_p * ids.iter().map(|&id| probabilities[id]).sum::<f64>();
        let mut sum = 0.0;
        let reaches = ids.iter().position(|&id| {
            sum += probabilities[id];
            sum >= enough
        });
        let kept = reaches.map_or(ids.len(), |place| place + 1);
        cut(&mut ids, kept);
    }
    ids
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::prefix::VOCABULARY;
    use exercise_kit::{Checked, Failure, call};

    pub fn check(answer: fn(&[f64], usize, f64) -> Vec<usize>) -> Checked {
        // Sums of these are exact, so that "reaches p" has no rounding in it.
        let five: &[f64] = &[0.125, 0.5, 0.0625, 0.25, 0.0625];
        let quarters: &[f64] = &[0.25; 4];
        let nearly: &[f64] = &[0.25 - f64::EPSILON, 0.25, 0.5];
        let sorted = "most likely first";
        let all = "0 means all, and so does any number that is larger than the vocabulary";
        let crossing = "the token that crosses the line belongs to the set: without it the sum stays below p";
        let order = "of equal ones the lower id first: the order must not depend on the sort";
        let ties = "cut among equal tokens by their ids: all that are as likely as the last one come in";
        let tolerance = "equal means exactly equal: a tolerance lets less likely tokens in";
        let share =
            "p is a share of what top-k left, not of everything, and not a sum by itself";
        let whole = "at 1.0 nothing is cut, not even tokens that add nothing to the sum";
        let ids = "a vocabulary has more ids than 16 bits hold";
        // Sorts that may change the order of equal ones keep it in a short list.
        let long: Vec<f64> = (0..64).map(|id| if id % 3 == 1 { 0.5 } else { 0.25 }).collect();
        let (likely, rest): (Vec<usize>, Vec<usize>) = (0..64).partition(|id| id % 3 == 1);
        let sorted_long = [likely, rest].concat();
        let vocabulary: Vec<f64> = (0..VOCABULARY).map(f64::from).collect();
        let last = VOCABULARY as usize - 1;
        type Case<'a> = (&'a [f64], usize, f64, &'a [usize], &'static str);
        let cases: [Case; 20] = [
            (five, 3, 1.0, &[1, 3, 0], sorted),
            (five, 0, 1.0, &[1, 3, 0, 2, 4], all),
            // In 32 bits this is 1.
            (five, (1 << 32) + 1, 1.0, &[1, 3, 0, 2, 4], all),
            (five, 0, 0.75, &[1, 3], "p is reached when the sum equals it"),
            (five, 0, 0.8, &[1, 3, 0], crossing),
            (five, 0, 0.0, &[1], crossing),
            (five, 2, 0.6, &[1], share),
            (five, 2, 0.7, &[1, 3], share),
            (&[2.0, 1.0, 0.5, 0.5], 0, 0.7, &[0, 1], share),
            (&[1.0, 2f64.powi(-30)], 0, 1.0 - 2f64.powi(-40), &[0, 1], crossing),
            (&[0.5, 0.5, 0.0], 0, 1.0, &[0, 1, 2], whole),
            (five, 4, 1.0, &[1, 3, 0, 2, 4], ties),
            (five, 0, 0.9, &[1, 3, 0, 2, 4], ties),
            (quarters, 2, 0.5, &[0, 1, 2, 3], ties),
            (nearly, 2, 1.0, &[2, 1], tolerance),
            (nearly, 0, 0.7, &[2, 1], tolerance),
            (&long, 0, 1.0, &sorted_long, order),
            (&[0.5, 0.0, 0.0], 2, 1.0, &[0, 1, 2], ties),
            (&[0.0, 0.0], 0, 0.5, &[0, 1], ties),
            (&vocabulary, 1, 1.0, &[last], ids),
        ];
        for (probabilities, top_k, top_p, expected, reason) in cases {
            let first = &probabilities[..probabilities.len().min(64)];
            let of = probabilities.len();
            let case =
                format!("{of} probabilities, {first:?}..., top_k {top_k}, top_p {top_p}");
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
            return Err(Failure::new(&case, format!("{expected:?}"), format!("{found:?}"))
                .likely(reason));
        }
        Ok(())
    }
}
