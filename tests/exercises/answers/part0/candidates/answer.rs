//? title: Top-k and top-p that treat equal tokens alike
//? page: ground/sampling.md
//? section: Top-k and top-p
//? level: deep
//? minutes: 45
//? call: check(answer::candidates)
//? hint 1: Both cuts work the same way: first find the place as in the book, then move it to the right for as long as the next token is exactly as likely as the last one that is in. So write the moving once.
//? hint 2: Sort the ids, most likely first, equal ones by id. Top-k: cut at `top_k`. Top-p: add up what is left until the sum reaches `top_p` times the sum of all that are left. The token that reaches it is in.
//? hint 3: `let more = ids[n..].iter().take_while(|&&id| probabilities[id] == probabilities[ids[n - 1]]).count(); ids.truncate(n + more);` after each cut at n, where n is at least 1.
//? why: The book cuts among equal tokens by their ids. That is simple, and the same seed gives the same text. But an id says
//?   nothing about a token. The rule here lets all equal ones in, so it does not depend on how the vocabulary is numbered.
//?   Equal means exactly equal: a tolerance would let in tokens that are less likely.

//! The book cuts equally likely tokens by their ids: of two that are equal, the lower id may be drawn and the other may not.
//! Write the fairer rule, which does not look at ids:
//!
//! - top-k: the `top_k` most likely ones, and all that are exactly as likely as the last of these. 0 means all.
//! - then top-p: of these the smallest set, most likely first, whose probabilities sum to at least `top_p` times the
//!   sum of all that top-k left; and again all that are exactly as likely as the last one in it. 1.0 means all.
//!
//! Return the ids, most likely first, equal ones by lower id first. There is always at least one. `probabilities`
//! holds no NaN and at least one number; they need not sum to 1. `top_p` is from 0 to 1.

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
