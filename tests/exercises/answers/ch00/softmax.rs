//? title: A softmax in one pass, which forgets the scores
//? page: ch00/attention.md
//? section: Softmax
//? level: core
//? minutes: 40
//? call: check(Running::new, Running::push, Running::mean)
//? hint 1: The page needs all scores twice: for the largest, and for the exponentials. What is wrong with the sums so far when a new score turns out to be the largest, and by which factor?
//? hint 2: Keep three numbers: the largest score so far, the sum of the weights, and the sum of weight * value, both relative to that largest. exp(x - new) = exp(x - old) * exp(old - new): when the largest grows, both sums are multiplied by exp(old - new).
//? hint 3: `let largest = self.largest.max(score); let shrink = (self.largest - largest).exp(); let weight = (score - largest).exp();` then `sum = sum * shrink + weight` and the same for the values. A score of minus infinity changes nothing: return before, since infinity - infinity is NaN.
//? why: Both sums are relative to the largest score so far, so nothing overflows. When the largest grows, one factor moves
//?   both sums over. The result is exact up to rounding, in whatever order the scores come. FlashAttention does the same
//?   with blocks of keys, which is why it never needs all scores at once. The first score needs no case of its own: the
//?   largest is minus infinity then, and exp(minus infinity) is 0.

// Attention wants the mean of some values, weighted by the softmax of their scores. The page computes all scores first. Here
// they come one at a time, each with its value, and there is no room to keep them:
//
// - `push(score, value)` takes a score and its value.
// - `mean()` is the weighted mean of all values so far: sum of softmax(scores)[i] * value[i].
//
// `Running` must be `Copy` and take at most 64 bytes, so it cannot hold a list. Scores may be 200 or -20000, or minus infinity
// (a weight of 0). The check asks for `mean()` after every push, from the first finite score on, and it must never be NaN.
// Messages count the pushes from 0.

#[derive(Clone, Copy)]
pub struct Running {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    largest: f32,
    sum: f32,
    total: f32, // the values, each times its weight
                //-- end
}

impl Running {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Running {
        //-- starter
        // todo!()
        //-- solution
        Running { largest: f32::NEG_INFINITY, sum: 0.0, total: 0.0 }
        //-- end
    }

    pub fn push(&mut self, score: f32, value: f32) {
        //-- starter
        // todo!()
        //-- solution
        if score == f32::NEG_INFINITY {
            return;
        }
        let largest = self.largest.max(score);
        let shrink = (self.largest - largest).exp();
        let weight = (score - largest).exp();
        self.sum = self.sum * shrink + weight;
        self.total = self.total * shrink + weight * value;
        self.largest = largest;
        //-- end
    }

    pub fn mean(&self) -> f32 {
        //-- starter
        // todo!()
        //-- solution
        self.total / self.sum
        //-- end
    }
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, Near, Random, call, same_numbers};

    /// Largest score, sum of the weights, sum of weight * value.
    type State = (f32, f32, f32);

    const LARGE: &str =
        "a score of 17 with the value 0, and scores far below it with values around 1e9";

    const LOW: f32 = f32::NEG_INFINITY;

    pub fn check<R: Copy>(
        new: fn() -> R,
        push: fn(&mut R, f32, f32),
        mean: fn(&R) -> f32,
    ) -> Checked {
        let empty = call("Running::new()", new)?;
        if size_of::<R>() > 64 {
            let found = format!("{} bytes", size_of::<R>());
            return Err(Failure::new("the size of Running", "at most 64 bytes", found)
                .likely("the scores are kept; a few running numbers are enough"));
        }
        let mut random = Random::new(16);
        let many: Vec<f32> = random.numbers(500).iter().map(|x| x * 6.0).collect();
        let mut small = vec![1.0; 3000];
        small[0] = 12.0;
        let cases: [(&str, &[f32]); 10] = [
            ("scores that fall", &[1.0, 0.5, -1.0]),
            ("scores that rise", &[0.5, 1.0, 3.0, 2.0]),
            ("500 scores between -6 and 6", &many),
            ("scores of 200", &[3.0, 200.0, 199.0]),
            ("scores of -200", &[-200.0, -199.0]),
            ("a first score of minus infinity", &[LOW, LOW, -1.0, LOW, 0.0]),
            ("one score that is far above all others", &[1.0, 2.0, 120.0, 1.0]),
            ("a score of 12, and then 2999 scores of 1", &small),
            (LARGE, &[17.0, 0.0, 1.0, -4.0]),
            ("scores of -20000", &[-20_000.0, -19_999.0]),
        ];
        for (case, scores) in cases {
            let mut values = random.numbers(scores.len());
            if case == LARGE {
                values[0] = 0.0;
                values[1..].iter_mut().for_each(|value| *value = 1e9 + 1e8 * *value);
            }
            let first = scores.iter().position(|score| *score > LOW).unwrap_or(0);
            let mut running = empty;
            let mut found = Vec::new();
            for (i, (&score, &value)) in scores.iter().zip(&values).enumerate() {
                let step = format!("{case}: push {score} with value {value}, number {i}");
                call(&step, || push(&mut running, score, value))?;
                // Before the first finite score there is no mean; the 0 keeps the pushes counted.
                found.push(if i < first { 0.0 } else { call(&step, || mean(&running))? });
            }
            let exact = |weigh: &dyn Fn(f64, f64) -> f64, divide: bool| -> Vec<f32> {
                (0..scores.len())
                    .map(|last| {
                        if last < first {
                            return 0.0;
                        }
                        let seen = &scores[..=last];
                        let largest = f64::from(seen.iter().copied().fold(LOW, f32::max));
                        let weights =
                            seen.iter().map(|&score| weigh(f64::from(score), largest));
                        let (mut sum, mut total) = (0.0, 0.0);
                        for (weight, &value) in weights.zip(&values) {
                            sum += weight;
                            total += weight * f64::from(value);
                        }
                        (if divide { total / sum } else { total }) as f32
                    })
                    .collect()
            };
            let running = |start: State, step: &dyn Fn(State, f32, f32) -> State| -> Vec<f32> {
                let mut state = start;
                let pairs = scores.iter().zip(&values);
                let means = pairs.map(|(&score, &value)| {
                    state = step(state, score, value);
                    state.2 / state.1
                });
                means.enumerate().map(|(i, mean)| if i < first { 0.0 } else { mean }).collect()
            };
            // What a new largest score does to the two sums: (sum, total), by old and new largest.
            let with = |start: f32, shrink: &dyn Fn(f32, f32) -> (f32, f32)| {
                running((start, 0.0, 0.0), &|(old, sum, total), score, value| {
                    let largest = old.max(score);
                    let weight = (score - largest).exp();
                    let (for_sum, for_total) =
                        if sum == 0.0 { (1.0, 1.0) } else { shrink(old, largest) };
                    (largest, sum * for_sum + weight, total * for_total + weight * value)
                })
            };
            let right = |old: f32, new: f32| (old - new).exp();
            let mistakes = [
                (
                    "a larger score has come, and the sums so far are still relative to the old one",
                    with(LOW, &|_, _| (1.0, 1.0)),
                ),
                (
                    "only the sum of the weights is right after a larger score has come",
                    with(LOW, &|old, new| (right(old, new), 1.0)),
                ),
                (
                    "only the values are moved when a larger score comes",
                    with(LOW, &|old, new| (1.0, right(old, new))),
                ),
                (
                    "where a larger score comes, what was there before grows: upside down",
                    with(LOW, &|old, new| (right(new, old), right(new, old))),
                ),
                (
                    "the search for the largest score begins at 0: everything underflows, and 0 / 0 is NaN",
                    with(0.0, &|old, new| (right(old, new), right(old, new))),
                ),
                (
                    "exp overflows to infinity: 200 is too large for it",
                    running((0.0, 0.0, 0.0), &|(_, sum, total), score, value| {
                        (0.0, sum + score.exp(), total + score.exp() * value)
                    }),
                ),
                (
                    "infinity - infinity is NaN: a score of minus infinity has the weight 0",
                    running((LOW, 0.0, 0.0), &|(old, sum, total), score, value| {
                        let largest = old.max(score);
                        let (shrink, weight) = ((old - largest).exp(), (score - largest).exp());
                        (largest, sum * shrink + weight, total * shrink + weight * value)
                    }),
                ),
                (
                    "the total is not divided by the sum of the weights",
                    exact(&|score, largest| (score - largest).exp(), false),
                ),
                ("a plain mean: the weights are missing", exact(&|_, _| 1.0, true)),
                (
                    "small weights are left out: each is little, and many of them are not",
                    exact(
                        &|score, largest| {
                            if score < largest - 10.0 { 0.0 } else { (score - largest).exp() }
                        },
                        true,
                    ),
                ),
            ];
            // Where the sum or the largest score is out of range, every mistake gives the same NaN: name the one that fits.
            let fits = |reason: &str| match case {
                "scores of 200" => reason.starts_with("exp overflows"),
                "scores of -200" | "scores of -20000" => reason.starts_with("the search"),
                "a first score of minus infinity" => reason.starts_with("infinity - infinity"),
                _ => true,
            };
            let mistakes: Vec<_> =
                mistakes.into_iter().filter(|(reason, _)| fits(reason)).collect();
            same_numbers(
                case,
                &[("mean after push", scores.len())],
                Near::Within(1e-4),
                &exact(&|score, largest| (score - largest).exp(), true),
                &found,
                &mistakes,
            )?;
        }
        Ok(())
    }
}
