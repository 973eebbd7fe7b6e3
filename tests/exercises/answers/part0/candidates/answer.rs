//? title: Top-k and top-p: which tokens may be drawn
//? page: ground/sampling.md
//? section: Top-k and top-p
//? minutes: 30
//? call: check(answer::candidates)
//? hint 1: Sort the ids first; then top-k is a cut at a place that you know, and top-p one at a place that you find by adding up.
//? hint 2: Most likely first, equal ones by id. After the cut by k, p is a share of what is left: compare the running sum with p times the sum of all that are left. The one that reaches it stays in.
//? hint 3: `let enough = top_p * kept.iter().map(|&id| probabilities[id]).sum::<f64>();` then push ids while the running sum is below `enough`, testing before adding, and always at least one.
//? why: The smallest set that reaches p includes the token that crosses the line: leaving it out would stop short of p, and for p below the
//?   largest probability nothing would be left to draw. The order among equals must be fixed, or the same seed gives different
//?   text on another day.

//! Return the ids that may be drawn, most likely first, equal ones by lower id first:
//!
//! - top-k: the `top_k` most likely ones; 0 means all.
//! - then top-p: of these the smallest set, most likely first, whose probabilities sum to at least `top_p` times the
//!   sum of all that top-k left. 1.0 means all, and there is always at least one id.
//!
//! `probabilities` holds no NaN and at least one number; `top_p` is from 0 to 1.

// probabilities: [vocab]
pub fn candidates(probabilities: &[f64], top_k: usize, top_p: f64) -> Vec<usize> {
    //-- starter
    // todo!()
    //-- solution
    let mut ids: Vec<usize> = (0..probabilities.len()).collect();
    // A stable sort: equal ones stay in the order of their ids.
    ids.sort_by(|&a, &b| probabilities[b].total_cmp(&probabilities[a]));
    if top_k > 0 {
        ids.truncate(top_k);
    }
    if top_p == 1.0 {
        return ids;
    }
    let enough = top_p * ids.iter().map(|&id| probabilities[id]).sum::<f64>();
    let mut sum = 0.0;
    let mut kept = 0;
    for &id in &ids {
        if kept > 0 && sum >= enough {
            break;
        }
        sum += probabilities[id];
        kept += 1;
    }
    ids.truncate(kept);
    ids
    //-- end
}
