//? title: A softmax that goes through its keys in pieces
//? page: ch06/pieces.md
//? section: One step
//? level: deep
//? minutes: 30
//? call: check(answer::next_piece, answer::result)
//? hint 1: All weights so far are relative to the largest score so far. Which of the numbers that you keep are wrong as soon as a larger score comes, and by which factor?
//? hint 2: exp(score - new) = exp(score - old) * exp(old - new). So one factor, exp(old - new), moves the sum and every number of `mixed` over to the new largest score. It is at most 1. The weights of the new piece use the new largest score from the beginning.
//? hint 3: `let new = scores.iter().copied().fold(*largest, f32::max);` and `let factor = (*largest - new).exp();`. Multiply `*sum` and each number of `mixed` by it, then add `(score - new).exp()` for each key, and that times its values. Store `new` at the end. Return before all this if there are no scores: minus infinity minus itself is NaN.
//? why: The largest score is the largest of all pieces so far, so no exponent is above 0 and nothing overflows. When it
//?   grows, the sum and the mixed values are still relative to the old one, and one factor moves all of them. Before the
//?   first piece the largest score is minus infinity: the factor is exp(-inf) = 0 then, and there is nothing to move. Only an
//?   empty first piece would subtract minus infinity from itself. The division comes once, at the end. What is kept does not
//?   grow with the number of keys, and so attention needs no room for all scores.

//! Attention mixes values by the softmax of their scores. Here the keys come in pieces, and the scores of a piece are gone
//! when the next one comes. (The exercise `softmax` of chapter 0 did this one key at a time.) What is known of all pieces so
//! far is in three places:
//!
//! - `largest`: the largest score. Before the first piece it is minus infinity.
//! - `sum`: the sum of all weights. Before the first piece it is 0.
//! - `mixed`: each column's sum of weight * value. Before the first piece it is all 0.
//!
//! `next_piece` takes a piece with its scores and values, and brings the three up to date. `result` returns what the softmax
//! over all keys so far would have given: for each column the sum of softmax(scores)[key] * value[key].
//!
//! The check asks for the result after each piece, and compares it with a softmax in `f64` over all keys at once: the
//! difference may be a hundred thousandth. Pieces have any length. One may be empty, even the first. Scores are finite, and
//! go up to 3e38 and down to -3e38.

// mixed: [width], scores: [keys], values: [keys, width]
pub fn next_piece(
    largest: &mut f32,
    sum: &mut f32,
    mixed: &mut [f32],
    scores: &[f32],
    values: &[f32],
) {
    //-- starter
    // todo!()
    //-- solution
    if scores.is_empty() {
        return;
    }
    let new = scores.iter().copied().fold(*largest, f32::max);
    let factor = (*largest - new).exp();
    *largest = new;
    *sum *= factor;
    for mixed in mixed.iter_mut() {
        *mixed *= factor;
    }
    for (score, value) in scores.iter().zip(values.chunks(mixed.len())) {
        let weight = (score - new).exp();
        *sum += weight;
        for (mixed, value) in mixed.iter_mut().zip(value) {
            *mixed += weight * value;
        }
    }
    //-- end
}

// mixed: [width] -> [width]
pub fn result(sum: f32, mixed: &[f32]) -> Vec<f32> {
    //-- starter
    // todo!()
    //-- solution
    mixed.iter().map(|mixed| mixed / sum).collect()
    //-- end
}
