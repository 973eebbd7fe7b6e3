//? title: The most likely token: equal scores, and scores that are no number
//? page: ground/sampling.md
//? section: Greedy
//? minutes: 15
//? call: check(answer::argmax)
//? hint 1: What do `<` and `>` say when one side is NaN? And with which score does the search begin: is there one that is surely in the list?
//? hint 2: Keep the index of the best so far. A score replaces it when it is greater (not greater or equal), or when the best so far is NaN and it is not.
//? hint 3: `if logit > logits[best] || (logits[best].is_nan() && !logit.is_nan()) { best = id; }`
//? why: `>` is false for NaN on either side, so a NaN never replaces anything; the second condition lets a number replace a NaN that stood
//?   first. A strict `>` keeps the first of equals, as the reference does; `max_by` would return the last. No start
//?   value is invented: 0.0 would beat scores that are all negative.

//! Return the index of the largest score. Of equal ones the first wins. NaN never wins against a number, minus infinity
//! included. If all are NaN, or there is none at all, the answer is 0. It never panics.

// logits: [vocab]
pub fn argmax(logits: &[f32]) -> usize {
    //-- starter
    // todo!()
    //-- solution
    let mut best = 0;
    for (id, &logit) in logits.iter().enumerate() {
        if logit > logits[best] || (logits[best].is_nan() && !logit.is_nan()) {
            best = id;
        }
    }
    best
    //-- end
}
