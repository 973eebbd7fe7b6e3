//? title: A softmax that goes through its keys in blocks
//? page: ch06/pieces.md
//? section: One step
//? level: deep
//? minutes: 30
//? call: check(next_block, result)
//? hint 1: All weights so far are relative to the largest score so far. Which of the numbers that you keep are wrong as soon as a larger score comes, and by which factor?
//? hint 2: exp(score - new) = exp(score - old) * exp(old - new). So one factor, exp(old - new), moves the sum and every number of `mixed` over to the new largest score. It is at most 1. The weights of the new block use the new largest score from the beginning.
//? hint 3: `let new = scores.iter().copied().fold(*largest, f32::max);` and `let factor = (*largest - new).exp();`. Multiply `*sum` and each number of `mixed` by it, then add `(score - new).exp()` for each key, and that times its values. Store `new` at the end. Return before all this if there are no scores: minus infinity minus itself is NaN.
//? why: The largest score is the largest of all blocks so far, so no exponent is above 0 and nothing overflows. When it
//?   grows, the sum and the mixed values are still relative to the old one, and one factor moves all of them. Before the
//?   first block the largest score is minus infinity: the factor is exp(-inf) = 0 then, and there is nothing to move. Only an
//?   empty first block would subtract minus infinity from itself. The division comes once, at the end. What is kept does not
//?   grow with the number of keys, and so attention needs no room for all scores.

// Attention mixes values by the softmax of their scores. Here the keys come in blocks, and the scores of a block are gone
// when the next one comes. (The exercise `softmax` of chapter 0 did this one key at a time.) What is known of all blocks so
// far is in three places:
//
// - `largest`: the largest score. Before the first block it is minus infinity.
// - `sum`: the sum of all weights. Before the first block it is 0.
// - `mixed`: each column's sum of weight * value. Before the first block it is all 0.
//
// `next_block` takes a block with its scores and values, and brings the three up to date. `result` returns what the softmax
// over all keys so far would have given: for each column the sum of softmax(scores)[key] * value[key].
//
// The check asks for the result after each block, and compares it with a softmax in `f64` over all keys at once: the
// difference may be a hundred thousandth. Blocks have any length. One may be empty, even the first. Scores are finite, and
// go up to 3e38 and down to -3e38.

// mixed: [width], scores: [keys], values: [keys, width]
pub fn next_block(
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

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Near, Random, call, same_numbers};

    pub fn check(
        next_block: fn(&mut f32, &mut f32, &mut [f32], &[f32], &[f32]),
        result: fn(f32, &[f32]) -> Vec<f32>,
    ) -> Checked {
        let mut random = Random::new(60);
        // Who has every result right has to have the right `largest` too: others go on from it.
        let mut wrong_largest = None;
        for (likely, width, blocks) in cases() {
            let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, vec![0.0; width]);
            let (mut all, mut all_values) = (Vec::new(), Vec::new());
            for (number, scores) in blocks.into_iter().enumerate() {
                let case = match &scores[..] {
                    few if few.len() <= 4 => format!("block {number}, scores {few:?}"),
                    many => format!("block {number}, {} keys", many.len()),
                };
                let told = |failure: Failure| failure.likely(likely);
                let values = random.numbers(scores.len() * width);
                call(&case, || {
                    next_block(&mut largest, &mut sum, &mut mixed, &scores, &values)
                })
                .map_err(told)?;
                all.extend(scores);
                all_values.extend(values);
                let right = all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                if right != largest && wrong_largest.is_none() {
                    let failure = Failure::new(&case, right, largest).at("`largest`");
                    wrong_largest = Some(failure.likely(
                        "that is not the largest score so far: the result fits, and whoever joins two of these goes by `largest`",
                    ));
                }
                if !all.is_empty() {
                    let found = call(&case, || result(sum, &mixed)).map_err(told)?;
                    let expected = exact(&all, &all_values, width);
                    let (shape, near) = ([("column", width)], Near::Within(1e-5));
                    same_numbers(&case, &shape, near, &expected, &found, &[]).map_err(told)?;
                }
            }
        }
        wrong_largest.map_or(Ok(()), Err)
    }

    /// Few keys come first, and in each case one thing more can go wrong.
    fn cases() -> Vec<(&'static str, usize, Vec<Vec<f32>>)> {
        let of = |likely, blocks: &[&[f32]]| {
            (likely, 3, blocks.iter().map(|scores| scores.to_vec()).collect())
        };
        let mut cases = vec![
            of("", &[&[0.0]]),
            of(
                "the division comes once, at the end: what is divided already cannot be added to",
                &[&[1.0, 0.5, -1.0]],
            ),
            of(
                "only the mixed values are right after a larger score has come",
                &[&[-1.0, 0.5], &[2.0]],
            ),
            of(
                "a block may be empty, the first one too: what is its largest score?",
                &[&[], &[1.0, 2.0], &[], &[2.0]],
            ),
            of(
                "exp overflows: a score of 100 is too large for it",
                &[&[100.0, 99.0], &[101.0]],
            ),
            of(
                "the largest of this block alone: where it is far below the last one, the factor is infinite",
                &[&[300.0, 299.0], &[0.0, 1.0]],
            ),
            of("", &[&[-200.0, -199.0], &[-201.0], &[0.0], &[300.0]]),
            of("", &[&[-3e38, -3e38], &[3e38, 1.0], &[-3e38, 3e38]]),
            // The small ones first: an f32 that has grown would lose them one by one.
            of("", &[&[1.0], &[&[0.0; 20_000][..], &[16.0]].concat()]),
        ];
        let mut random = Random::new(61);
        for width in [1, 3, 64, 300] {
            for scale in [0.0, 5.0, 100.0, 3e38] {
                let mut spread =
                    |keys| random.numbers(keys).iter().map(|x| x * scale).collect::<Vec<f32>>();
                cases.push(("", width, [1, 64, 7, 0, 33, 2, 300].map(&mut spread).to_vec()));
            }
        }
        cases
    }

    /// A softmax over all keys at once, in f64.
    fn exact(scores: &[f32], values: &[f32], width: usize) -> Vec<f32> {
        let largest = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weight = |score: &f32| (f64::from(*score) - f64::from(largest)).exp();
        let weights: Vec<f64> = scores.iter().map(weight).collect();
        let column = |i: usize| {
            let rows = weights.iter().zip(values.chunks(width));
            let mixed: f64 = rows.map(|(weight, row)| weight * f64::from(row[i])).sum();
            (mixed / weights.iter().sum::<f64>()) as f32
        };
        (0..width).map(column).collect()
    }
}
