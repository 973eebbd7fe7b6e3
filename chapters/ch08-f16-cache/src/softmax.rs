use crate::exp::exp;

/// Turns scores into weights that are positive and sum to 1. scores: [keys]
pub fn softmax(scores: &mut [f32]) {
    // exp(100) does not fit into an f32; with the largest score subtracted no exponent exceeds 0.
    let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    // In a loop of its own: a sum has to be added in order, and waiting for it would hold up
    // the exponentials.
    for score in scores.iter_mut() {
        *score = exp(*score - largest);
    }
    let sum: f32 = scores.iter().sum();
    for score in scores.iter_mut() {
        *score /= sum;
    }
}
