//? title: A softmax that goes through its keys in pieces
//? page: ch06/pieces.md
//? section: One step
//? level: deep
//? minutes: 30
//? call: check(next_piece, result)
//? hint 1: All weights so far are relative to the largest score so far. Which of the numbers that you keep are wrong as soon as a larger score comes, and by which factor?
//? hint 2: exp(score - new) = exp(score - old) * exp(old - new). So one factor, exp(old - new), moves the sum and every number of `mixed` over to the new largest score. It is at most 1. The weights of the new piece use the new largest score from the beginning.
//? hint 3: `let new = scores.iter().copied().fold(*largest, f32::max);` and `let factor = (*largest - new).exp();`. Multiply `*sum` and each number of `mixed` by it, then add `(score - new).exp()` for each key, and that times its values. Store `new` at the end. Return before all this if there are no scores: minus infinity minus itself is NaN.
//? why: The largest score is the largest of all pieces so far, so no exponent is above 0 and nothing overflows. When it
//?   grows, the sum and the mixed values are still relative to the old one, and one factor moves all of them. Before the
//?   first piece the largest score is minus infinity: the factor is exp(-inf) = 0 then, and there is nothing to move. Only an
//?   empty first piece would subtract minus infinity from itself. The division comes once, at the end. What is kept does not
//?   grow with the number of keys, and so attention needs no room for all scores.

// Attention mixes values by the softmax of their scores. Here the keys come in pieces, and the scores of a piece are gone
// when the next one comes. (The exercise `softmax` of chapter 0 did this one key at a time.) What is known of all pieces so
// far is in three places:
//
// - `largest`: the largest score. Before the first piece it is minus infinity.
// - `sum`: the sum of all weights. Before the first piece it is 0.
// - `mixed`: each column's sum of weight * value. Before the first piece it is all 0.
//
// `next_piece` takes a piece with its scores and values, and brings the three up to date. `result` returns what the softmax
// over all keys so far would have given: for each column the sum of softmax(scores)[key] * value[key].
//
// The check asks for the result after each piece, and compares it with a softmax in `f64` over all keys at once: the
// difference may be a hundred thousandth. Pieces have any length. One may be empty, even the first. Scores are finite, and
// go up to 3e38 and down to -3e38.

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

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Near, Random, call, same_numbers};

    const NEAR: Near = Near::Within(1e-5);
    const EMPTY: &str = "a piece may be empty, the first one too: what is its largest score?";

    /// Keys that come together, and what the answer made of all that it had then.
    struct Piece {
        scores: Vec<f32>,
        values: Vec<f32>, // [keys, width]
        largest: f32,
        found: Vec<f32>,
    }

    /// Pieces that belong to one softmax.
    struct Asked {
        case: &'static str,
        width: usize,
        pieces: Vec<Piece>,
    }

    pub fn check(
        next_piece: fn(&mut f32, &mut f32, &mut [f32], &[f32], &[f32]),
        result: fn(f32, &[f32]) -> Vec<f32>,
    ) -> Checked {
        let mut random = Random::new(60);
        let mut asked = Vec::new();
        for (case, width, pieces) in cases() {
            let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, vec![0.0; width]);
            let mut one = Asked { case, width, pieces: Vec::new() };
            for scores in pieces {
                let values = random.numbers(scores.len() * width);
                let step = one.step(one.pieces.len(), &scores);
                call(&step, || {
                    next_piece(&mut largest, &mut sum, &mut mixed, &scores, &values)
                })?;
                one.pieces.push(Piece { scores, values, largest, found: Vec::new() });
                if one.pieces.iter().any(|piece| !piece.scores.is_empty()) {
                    let found = call(&step, || result(sum, &mixed))?;
                    one.pieces.last_mut().expect("it was pushed").found = found;
                }
            }
            asked.push(one);
        }
        asked.iter().find_map(|one| one.failure(&asked)).map_or(Ok(()), Err)?;
        asked.iter().find_map(Asked::wrong_largest).map_or(Ok(()), Err)
    }

    /// Few keys come first: a mistake shows in a message that can be followed by hand.
    fn cases() -> Vec<(&'static str, usize, Vec<Vec<f32>>)> {
        let mut random = Random::new(61);
        let mut spread = |keys: usize| -> Vec<f32> {
            random.numbers(keys).iter().map(|x| x * 5.0).collect()
        };
        let of_all_lengths = [1, 64, 7, 33, 2, 64].map(&mut spread).to_vec();
        vec![
            ("one key", 3, vec![vec![1.5]]),
            ("one piece", 3, vec![vec![1.0, 0.5, -1.0]]),
            (
                "the largest score in the first piece",
                3,
                vec![vec![2.0, 1.0], vec![0.5, -1.0, 0.0]],
            ),
            (
                "the largest score in the last piece",
                3,
                vec![vec![-1.0, 0.5], vec![0.0], vec![2.0]],
            ),
            ("equal scores", 3, vec![vec![2.5; 3], vec![2.5; 2], vec![2.5; 4]]),
            ("an empty piece between others", 3, vec![vec![1.0], vec![], vec![2.0, 0.0]]),
            ("an empty first piece", 3, vec![vec![], vec![1.0, 2.0]]),
            ("scores around 100", 3, vec![vec![100.0, 99.0], vec![101.0, 98.0]]),
            ("scores around -200", 3, vec![vec![-200.0, -199.0], vec![-201.0]]),
            ("a second piece far above the first", 3, vec![vec![0.0, 1.0], vec![300.0, 299.0]]),
            ("a second piece far below the first", 3, vec![vec![300.0, 299.0], vec![0.0, 1.0]]),
            (
                "the ends of f32",
                3,
                vec![vec![-3e38, -3e38], vec![3e38, 1.0], vec![-3e38, 3e38]],
            ),
            ("scores from -5 to 5", 3, of_all_lengths),
            // The small ones first: an f32 that has grown would lose them one by one.
            (
                "3000 keys with a score of 0, and one of 12",
                3,
                vec![[vec![0.0; 3000], vec![12.0]].concat()],
            ),
            (
                "20000 keys with a score of 0, and one of 16",
                3,
                vec![vec![1.0], [vec![0.0; 20_000], vec![16.0]].concat()],
            ),
            ("one column", 1, vec![vec![0.5, 1.0], vec![2.0]]),
            ("64 columns", 64, vec![vec![0.5, 1.0], vec![2.0]]),
        ]
    }

    impl Asked {
        fn step(&self, piece: usize, scores: &[f32]) -> String {
            let case = self.case;
            match scores {
                [] => format!("{case}: piece {piece}, without keys"),
                few if few.len() <= 4 => format!("{case}: piece {piece}, scores {few:?}"),
                many => format!("{case}: piece {piece}, {} keys", many.len()),
            }
        }

        fn failure(&self, asked: &[Asked]) -> Option<Failure> {
            let shape = [("column", self.width)];
            let failure = self.pieces.iter().enumerate().find_map(|(i, piece)| {
                let expected = exact(&self.pieces[..=i], self.width);
                let step = self.step(i, &piece.scores);
                same_numbers(&step, &shape, NEAR, &expected, &piece.found, &[]).err()
            })?;
            // Many mistakes give the same result here and there: one is named when it explains every result.
            let explains = |slip: Slip| asked.iter().all(|one| one.is_as(slip));
            Some(match SLIPS.iter().find(|(_, slip)| explains(*slip)) {
                Some((reason, _)) => failure.likely(reason),
                None => failure,
            })
        }

        fn is_as(&self, slip: Slip) -> bool {
            let mut state =
                State { largest: f32::NEG_INFINITY, sum: 0.0, mixed: vec![0.0; self.width] };
            self.pieces.iter().all(|piece| {
                step(slip, &mut state, &piece.scores, &piece.values);
                let result: Vec<f32> =
                    state.mixed.iter().map(|mixed| mixed / state.sum).collect();
                let found = &piece.found;
                found.is_empty() || same_numbers("", &[], NEAR, &result, found, &[]).is_ok()
            })
        }

        /// The results are right. So is what others go on from?
        fn wrong_largest(&self) -> Option<Failure> {
            let mut largest = f32::NEG_INFINITY;
            self.pieces.iter().enumerate().find_map(|(i, piece)| {
                largest = piece.scores.iter().copied().fold(largest, f32::max);
                let step = self.step(i, &piece.scores);
                (piece.largest != largest).then(|| {
                    Failure::new(&step, largest, piece.largest).at("`largest`").likely(
                        "that is not the largest score so far: the result fits, and whoever joins two of these goes by `largest`",
                    )
                })
            })
        }
    }

    /// A softmax over all keys at once, in f64. Nothing where there are none.
    fn exact(pieces: &[Piece], width: usize) -> Vec<f32> {
        let scores: Vec<f64> =
            pieces.iter().flat_map(|it| &it.scores).map(|&score| f64::from(score)).collect();
        let values: Vec<&[f32]> =
            pieces.iter().flat_map(|it| it.values.chunks(width)).collect();
        if scores.is_empty() {
            return Vec::new();
        }
        let largest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let column = |i: usize| {
            let terms =
                weights.iter().zip(&values).map(|(weight, row)| weight * f64::from(row[i]));
            (terms.sum::<f64>() / sum) as f32
        };
        (0..width).map(column).collect()
    }

    /// One thing done otherwise.
    #[derive(Clone, Copy, PartialEq)]
    enum Slip {
        EmptyToo,
        NothingSubtracted,
        LargestOfThePiece,
        SumStays,
        DividedEachTime,
    }

    const SLIPS: [(&str, Slip); 5] = [
        (EMPTY, Slip::EmptyToo),
        ("exp overflows: a score of 100 is too large for it", Slip::NothingSubtracted),
        (
            "the largest of this piece alone: where it is far below the last one, the factor is infinite",
            Slip::LargestOfThePiece,
        ),
        ("only the mixed values are right after a larger score has come", Slip::SumStays),
        (
            "the division comes once, at the end: what is divided already cannot be added to",
            Slip::DividedEachTime,
        ),
    ];

    struct State {
        largest: f32,
        sum: f32,
        mixed: Vec<f32>,
    }

    impl State {
        fn multiply(&mut self, for_sum: f32, for_mixed: f32) {
            self.sum *= for_sum;
            self.mixed.iter_mut().for_each(|mixed| *mixed *= for_mixed);
        }
    }

    fn step(slip: Slip, state: &mut State, scores: &[f32], values: &[f32]) {
        if scores.is_empty() && slip != Slip::EmptyToo {
            return;
        }
        let begin = match slip {
            Slip::LargestOfThePiece => f32::NEG_INFINITY,
            _ => state.largest,
        };
        let (mut new, mut factor) = (scores.iter().copied().fold(begin, f32::max), 1.0);
        if slip == Slip::NothingSubtracted {
            new = 0.0;
        } else {
            factor = (state.largest - new).exp();
        }
        state.largest = new;
        state.multiply(if slip == Slip::SumStays { 1.0 } else { factor }, factor);
        for (score, row) in scores.iter().zip(values.chunks(state.mixed.len())) {
            let weight = (score - new).exp();
            state.sum += weight;
            state.mixed.iter_mut().zip(row).for_each(|(mixed, value)| *mixed += weight * value);
        }
        if slip == Slip::DividedEachTime {
            state.multiply(1.0, 1.0 / state.sum);
        }
    }
}
