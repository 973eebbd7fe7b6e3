//? title: A softmax that survives large inputs
//? page: ch00/attention.md
//? section: Softmax
//? minutes: 15
//? call: check(answer::softmax)
//? hint 1: `exp(89.0)` is already more than an f32 can hold, and infinity divided by infinity is NaN. What can be subtracted from all scores without changing the result?
//? hint 2: exp(x - m) = exp(x) / exp(m): the factor is in every term and in the sum. Take m = the largest score, and no exponent is above 0.
//? hint 3: `scores.iter().copied().fold(f32::NEG_INFINITY, f32::max)`, then subtract and `exp` in place, then sum, then divide.
//? why: With the largest score subtracted, the largest term is exp(0) = 1: nothing overflows, the sum is at least 1, and what underflows
//?   to 0 was too small to matter. The start of the search must be minus infinity: with 0.0, scores that are all
//?   about -200 all become 0 and the division is 0 / 0.

//! Turn scores into weights, in place: weight = exp(score) / sum of exp(all scores). Weights are 0 or more and their sum is 1.
//!
//! The scores may be large (200), very negative (-200) or minus infinity (weight 0); at least one is finite. The result is
//! never NaN.

// scores: [n], n >= 1
pub fn softmax(scores: &mut [f32]) {
    //-- starter
    // todo!()
    //-- solution
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    for score in scores.iter_mut() {
        *score = (*score - largest).exp();
    }
    let sum: f32 = scores.iter().sum();
    for score in scores {
        *score /= sum;
    }
    //-- end
}
