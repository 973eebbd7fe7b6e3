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

    const WIDTH: usize = 3;
    const NEAR: Near = Near::Within(1e-5);
    const EMPTY: &str = "a piece may be empty, the first one too: what is its largest score?";

    /// Keys that come together, and what the answer made of all that it had then.
    struct Piece {
        scores: Vec<f32>,
        values: Vec<f32>, // [keys, WIDTH]
        largest: f32,
        found: Vec<f32>,
    }

    /// Pieces that belong to one softmax.
    struct Asked {
        case: &'static str,
        pieces: Vec<Piece>,
    }

    pub fn check(
        next_piece: fn(&mut f32, &mut f32, &mut [f32], &[f32], &[f32]),
        result: fn(f32, &[f32]) -> Vec<f32>,
    ) -> Checked {
        let mut random = Random::new(60);
        let mut asked = Vec::new();
        for (case, pieces) in cases() {
            let State { mut largest, mut sum, mut mixed } = START;
            let mut one = Asked { case, pieces: Vec::new() };
            for scores in pieces {
                let values = random.numbers(scores.len() * WIDTH);
                let step = one.step(one.pieces.len(), &scores);
                call(&step, || {
                    next_piece(&mut largest, &mut sum, &mut mixed, &scores, &values)
                })
                .map_err(|it| empty(it, &scores))?;
                one.pieces.push(Piece { scores, values, largest, found: Vec::new() });
                if one.pieces.iter().any(|piece| !piece.scores.is_empty()) {
                    let found = call(&step, || result(sum, &mixed))?;
                    one.pieces.last_mut().expect("it was pushed").found = found;
                }
            }
            asked.push(one);
        }
        asked.iter().find_map(|one| one.failure(&asked)).map_or(Ok(()), Err)?;
        // Other widths: all scores are alike, so that a column has the mean of its values.
        for width in [1, 2, 5, 64] {
            let case = format!("3 keys and then 1, scores of 0, {width} columns");
            let values = random.numbers(4 * width);
            let mean = |column: usize| {
                (0..4).map(|key| f64::from(values[key * width + column])).sum::<f64>() / 4.0
            };
            let right: Vec<f32> = (0..width).map(|column| mean(column) as f32).collect();
            let (mut largest, mut sum, mut mixed) = (f32::NEG_INFINITY, 0.0, vec![0.0; width]);
            let found = call(&case, || {
                let (first, second) = values.split_at(3 * width);
                next_piece(&mut largest, &mut sum, &mut mixed, &[0.0; 3], first);
                next_piece(&mut largest, &mut sum, &mut mixed, &[0.0], second);
                result(sum, &mixed)
            })?;
            let reason = "right for rows of 3 columns, and mixed has any width";
            same_numbers(
                &case,
                &[("column", width)],
                NEAR,
                &right,
                &found,
                &[(reason, found.clone())],
            )?;
        }
        Ok(())
    }

    /// Few keys come first: a mistake shows in a message that can be followed by hand.
    fn cases() -> Vec<(&'static str, Vec<Vec<f32>>)> {
        let mut random = Random::new(61);
        let mut spread = |keys: usize| -> Vec<f32> {
            random.numbers(keys).iter().map(|x| x * 5.0).collect()
        };
        // The small ones first: an f32 that has grown would lose them one by one.
        let many = |keys: usize, last: f32| [vec![0.0; keys], vec![last]].concat();
        let of_all_lengths = [1, 64, 7, 33, 2, 64].map(&mut spread).to_vec();
        vec![
            ("one key", vec![vec![1.5]]),
            ("one piece", vec![vec![1.0, 0.5, -1.0]]),
            (
                "the largest score in the first piece",
                vec![vec![2.0, 1.0], vec![0.5, -1.0, 0.0]],
            ),
            (
                "the largest score in the last piece",
                vec![vec![-1.0, 0.5], vec![0.0], vec![2.0]],
            ),
            ("equal scores", vec![vec![2.5; 3], vec![2.5; 2], vec![2.5; 4]]),
            ("an empty piece between others", vec![vec![1.0], vec![], vec![2.0, 0.0]]),
            ("an empty first piece", vec![vec![], vec![1.0, 2.0]]),
            ("scores around 100", vec![vec![100.0, 99.0], vec![101.0, 98.0]]),
            ("scores around -200", vec![vec![-200.0, -199.0], vec![-201.0]]),
            ("a second piece far above the first", vec![vec![0.0, 1.0], vec![300.0, 299.0]]),
            ("a second piece far below the first", vec![vec![300.0, 299.0], vec![0.0, 1.0]]),
            ("the ends of f32", vec![vec![-3e38, -3e38], vec![3e38, 1.0], vec![-3e38, 3e38]]),
            ("scores from -5 to 5", of_all_lengths),
            ("3000 keys with a score of 0, and then one of 12", vec![many(3000, 12.0)]),
            (
                "20000 keys with a score of 0, and then one of 16",
                vec![vec![1.0], many(20_000, 16.0)],
            ),
        ]
    }

    fn empty(failure: Failure, scores: &[f32]) -> Failure {
        if scores.is_empty() && !failure.unwritten { failure.likely(EMPTY) } else { failure }
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
            let shape = [("column", WIDTH)];
            let failure = self.pieces.iter().enumerate().find_map(|(i, piece)| {
                let expected = exact(&self.pieces[..=i]);
                let step = self.step(i, &piece.scores);
                same_numbers(&step, &shape, NEAR, &expected, &piece.found, &[]).err()
            })?;
            // Many mistakes give the same result here and there: one is named when it explains every result. Two of them
            // may do so, and differ in what is kept.
            let explains = |way: &Way, kept: bool| asked.iter().all(|one| one.is_as(way, kept));
            let mistakes = mistakes();
            let mut found = mistakes.iter().find(|(_, way)| explains(way, true));
            found = found.or_else(|| mistakes.iter().find(|(_, way)| explains(way, false)));
            Some(match found {
                Some((reason, _)) => failure.likely(reason),
                None => failure,
            })
        }

        fn is_as(&self, way: &Way, kept: bool) -> bool {
            let mut state = START;
            self.pieces.iter().all(|piece| {
                (way.step)(way, &mut state, &piece.scores, &piece.values);
                let result = (way.result)(&state);
                let same =
                    |a: &[f32], b: &[f32]| same_numbers("", &[], NEAR, a, b, &[]).is_ok();
                (piece.found.is_empty() || same(&result, &piece.found))
                    && (!kept || same(&[state.largest], &[piece.largest]))
            })
        }
    }

    /// A softmax over all keys at once, in f64. Nothing where there are none.
    fn exact(pieces: &[Piece]) -> Vec<f32> {
        let scores: Vec<f64> =
            pieces.iter().flat_map(|it| &it.scores).map(|&score| f64::from(score)).collect();
        let values: Vec<&[f32]> =
            pieces.iter().flat_map(|it| it.values.chunks(WIDTH)).collect();
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
        (0..WIDTH).map(column).collect()
    }

    struct State {
        largest: f32,
        sum: f32,
        mixed: [f32; WIDTH],
    }

    const START: State = State { largest: f32::NEG_INFINITY, sum: 0.0, mixed: [0.0; WIDTH] };

    /// How a piece is taken, in parts that a mistake replaces.
    struct Way {
        step: fn(&Way, &mut State, &[f32], &[f32]),
        largest: fn(f32, &[f32]) -> f32,
        /// For the sum and for the mixed values, from the old and the new largest score.
        factors: fn(f32, f32) -> (f32, f32),
        /// What is stored of the old and the new largest score.
        kept: fn(f32, f32) -> f32,
        weight: fn(f32, f32) -> f32,
        /// Where a value is: from its key, its column and the number of keys.
        value: fn(usize, usize, usize) -> usize,
        result: fn(&State) -> [f32; WIDTH],
    }

    const RIGHT: Way = Way {
        step: |way, state, scores, values| {
            if !scores.is_empty() {
                step(way, state, scores, values);
            }
        },
        largest: |old, scores| scores.iter().copied().fold(old, f32::max),
        factors: |old, new| (shrink(old, new), shrink(old, new)),
        kept: |_, new| new,
        weight: |score, new| (score - new).exp(),
        value: |key, column, _| key * WIDTH + column,
        result: |state| state.mixed.map(|mixed| mixed / state.sum),
    };

    fn shrink(old: f32, new: f32) -> f32 {
        (old - new).exp()
    }

    fn of_at_least(least: f32, score: f32, new: f32) -> f32 {
        let weight = shrink(score, new);
        if weight < least { 0.0 } else { weight }
    }

    fn of_piece(_: f32, scores: &[f32]) -> f32 {
        scores.iter().copied().fold(f32::NEG_INFINITY, f32::max)
    }

    fn step(way: &Way, state: &mut State, scores: &[f32], values: &[f32]) {
        let new = (way.largest)(state.largest, scores);
        let (for_sum, for_mixed) = (way.factors)(state.largest, new);
        state.largest = (way.kept)(state.largest, new);
        state.sum *= for_sum;
        state.mixed = state.mixed.map(|mixed| mixed * for_mixed);
        add(way, state, scores, values, new);
    }

    fn add(way: &Way, state: &mut State, scores: &[f32], values: &[f32], new: f32) {
        for (key, &score) in scores.iter().enumerate() {
            let weight = (way.weight)(score, new);
            state.sum += weight;
            for (column, mixed) in state.mixed.iter_mut().enumerate() {
                *mixed += weight * values[(way.value)(key, column, scores.len())];
            }
        }
    }

    fn mistakes() -> Vec<(&'static str, Way)> {
        let exp2 = "exp2 is a power of 2, and a softmax has powers of e";
        let nothing_moves =
            "weights of earlier pieces are still relative to the old largest score";
        let divided = "the result is divided by the sum of the weights";
        let forgotten = "the sum is of this piece alone: add to what it was";
        vec![
            (EMPTY, Way { step, ..RIGHT }),
            (
                "only the mixed values are right after a larger score has come",
                Way { factors: |old, new| (1.0, shrink(old, new)), ..RIGHT },
            ),
            (
                "only the sum of the weights is right after a larger score has come",
                Way { factors: |old, new| (shrink(old, new), 1.0), ..RIGHT },
            ),
            (nothing_moves, Way { factors: |_, _| (1.0, 1.0), ..RIGHT }),
            (nothing_moves, Way { largest: of_piece, factors: |_, _| (1.0, 1.0), ..RIGHT }),
            (
                "where a larger score comes, what was there before grows: upside down",
                Way { factors: |old, new| (shrink(new, old), shrink(new, old)), ..RIGHT },
            ),
            (
                "the largest of this piece alone: where it is far below the last one, the factor is infinite",
                Way { largest: of_piece, ..RIGHT },
            ),
            (
                "the largest score is that of the first piece: exp overflows when a much larger score comes later",
                Way {
                    largest: |old, scores| {
                        if old.is_finite() { old } else { of_piece(old, scores) }
                    },
                    ..RIGHT
                },
            ),
            (
                "exp overflows: a score of 100 is too large for it",
                Way { largest: |_, _| 0.0, factors: |_, _| (1.0, 1.0), ..RIGHT },
            ),
            (
                "all scores are far below zero: the largest is one of them, not 0",
                Way { largest: |old, scores| (RIGHT.largest)(old.max(0.0), scores), ..RIGHT },
            ),
            (
                "the largest score is compared with its sign: -200 is less than 1",
                Way {
                    largest: |old, scores| scores.iter().fold(old, |old, it| old.max(it.abs())),
                    ..RIGHT
                },
            ),
            (
                "the largest score changes when it is larger, not when it is smaller",
                Way {
                    largest: |old, scores| {
                        let new = of_piece(old, scores);
                        if old == f32::NEG_INFINITY { new } else { old.min(new) }
                    },
                    ..RIGHT
                },
            ),
            (
                "the new largest score is not stored: the next piece finds minus infinity, and a factor of 0",
                Way { kept: |old, _| old, ..RIGHT },
            ),
            (forgotten, Way { factors: |old, new| (0.0, shrink(old, new)), ..RIGHT }),
            (forgotten, Way { factors: |_, _| (0.0, 0.0), ..RIGHT }),
            (
                "the new piece is already relative to the new largest score: multiply first, and then add it",
                Way {
                    step: |way, state, scores, values| {
                        if !scores.is_empty() {
                            let new = (way.largest)(state.largest, scores);
                            let factor = shrink(state.largest, new);
                            add(way, state, scores, values, new);
                            state.largest = new;
                            state.sum *= factor;
                            state.mixed = state.mixed.map(|mixed| mixed * factor);
                        }
                    },
                    ..RIGHT
                },
            ),
            (
                "the factor was applied at every key: once for a piece is enough",
                Way {
                    step: |way, state, scores, values| {
                        if !scores.is_empty() {
                            let new = (way.largest)(state.largest, scores);
                            let factor = shrink(state.largest, new);
                            state.largest = new;
                            for (score, value) in scores.iter().zip(values.chunks(WIDTH)) {
                                state.sum *= factor;
                                state.mixed = state.mixed.map(|mixed| mixed * factor);
                                add(way, state, &[*score], value, new);
                            }
                        }
                    },
                    ..RIGHT
                },
            ),
            (
                "the division comes once, at the end: what is divided already cannot be added to",
                Way {
                    step: |way, state, scores, values| {
                        (RIGHT.step)(way, state, scores, values);
                        // An empty first piece leaves nothing to divide.
                        if !scores.is_empty() {
                            state.mixed = (RIGHT.result)(state);
                        }
                    },
                    ..RIGHT
                },
            ),
            (
                "every piece had a softmax of its own: pieces with larger scores weigh more",
                Way {
                    step: |way, state, scores, values| {
                        if !scores.is_empty() {
                            let mut piece = START;
                            step(way, &mut piece, scores, values);
                            state.sum += 1.0;
                            for (all, one) in state.mixed.iter_mut().zip((RIGHT.result)(&piece))
                            {
                                *all += one;
                            }
                        }
                    },
                    ..RIGHT
                },
            ),
            (
                "small weights are left out: each is little, and many of them are not",
                Way { weight: |score, new| of_at_least(1e-5, score, new), ..RIGHT },
            ),
            (
                "small weights are left out: each is little, and many of them are not",
                Way { weight: |score, new| of_at_least(1e-6, score, new), ..RIGHT },
            ),
            (divided, Way { result: |state| state.mixed, ..RIGHT }),
            (
                divided,
                Way {
                    result: |state| state.mixed.map(|it| it / state.mixed.iter().sum::<f32>()),
                    ..RIGHT
                },
            ),
            (
                exp2,
                Way {
                    factors: |old, new| ((old - new).exp2(), (old - new).exp2()),
                    weight: |score, new| (score - new).exp2(),
                    ..RIGHT
                },
            ),
            (exp2, Way { weight: |score, new| (score - new).exp2(), ..RIGHT }),
            (
                "the values have one row for each key: [keys, width]",
                Way { value: |key, column, keys| column * keys + key, ..RIGHT },
            ),
            (
                "a weight is the exponential of the score minus the largest",
                Way { weight: |score, new| score - new, ..RIGHT },
            ),
        ]
    }
}
