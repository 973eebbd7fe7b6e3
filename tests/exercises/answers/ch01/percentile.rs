//? title: A percentile that occurred: nearest rank
//? page: ch01/metrics.md
//? section: Percentiles
//? level: warm-up
//? minutes: 15
//? call: check(nearest_rank)
//? hint 1: Of 20 measurements, how many must not be larger than the 95th percentile? Which one is it, when they are sorted?
//? hint 2: Sort; the rank is percent / 100 * n, rounded up, and at least 1; rank 1 is index 0. Rounding up in integers is `div_ceil`.
//? hint 3: `sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]`, after the case of no samples; sort with `f64::total_cmp`.
//? why: Nearest rank returns a measurement that took place, even if there are only three. Interpolation invents a number
//?   between two. The rank is computed in integers, because floats round: 7 % of 100 is 7.000000000000001 in `f64`, and
//?   rounding that up gives 8.

// Two definitions of a percentile are common: nearest rank, and interpolation between two neighbours. This course
// uses nearest rank: the smallest sample that at least `percent` percent of all samples do not exceed. It is always one
// of the samples.
//
// `samples` come in the order of measurement, `percent` is 0 to 100 (0 asks for the smallest). No samples: `None`.
// Example: the 50th percentile of 4, 1, 3, 2 is 2, and the 95th is 4.

// samples: [n]
pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    //-- starter
    // todo!()
    //-- solution
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, call_or, same};

    pub fn check(answer: fn(&[f64], usize) -> Option<f64>) -> Checked {
        let twenty: Vec<f64> = (1..=20).map(|i| f64::from(i * 7 % 23)).collect();
        let hundred: Vec<f64> = (1..=100).map(|i| f64::from(i * 37 % 101)).collect();
        let equal = [3.0, 1.0, 3.0, 3.0, 3.0, 2.0, 3.0, 3.0];
        let nearly = [1.0 + 2.0 * f64::EPSILON, 1.0, 1.0 + f64::EPSILON];
        let many: Vec<f64> = (0..70_001).map(|i| f64::from(i * 7 % 70_001)).collect();
        let samples: [&[f64]; 11] = [
            &twenty,
            &[4.0, 1.0, 3.0, 2.0],
            &[5.0],
            &[2.0, 1.0],
            &hundred,
            &equal,
            &[0.75, 0.1, 0.5, 0.3],
            &[2.0, -3.0, 0.5, -1.0],
            &nearly,
            &many,
            &[],
        ];
        for samples in samples {
            for percent in [25, 50, 95, 99, 100, 0, 7, 29, 30, 55] {
                let n = samples.len();
                let case = match n {
                    70_001 => format!(
                        "percentile {percent} of 70,001 samples: 0, 7, 14, ..., modulo 70,001"
                    ),
                    _ => format!("percentile {percent} of {samples:?}"),
                };
                let mut sorted = samples.to_vec();
                sorted.sort_by(f64::total_cmp);
                let rank = (n * percent).div_ceil(100).max(1);
                let expected = sorted.get(rank - 1).copied();
                let place = n.saturating_sub(1) as f64 * percent as f64 / 100.0;
                let between = sorted.get(place.ceil() as usize).map(|high| {
                    let low = sorted[place.floor() as usize];
                    low + (high - low) * place.fract()
                });
                let reason = if n == 0 {
                    "no samples have no percentile: None"
                } else {
                    "the rank is 1 to n, the index 0 to n - 1"
                };
                let found = call_or(&case, format!("{expected:?}"), reason, || {
                    answer(samples, percent)
                })?;
                same(
                    &case,
                    &expected,
                    &found,
                    &[
                        (
                            "interpolation between two samples; nearest rank returns one of them",
                            between,
                        ),
                        (
                            "rounded to the nearest rank: here too few samples are below it",
                            sorted
                                .get(((n * percent + 50) / 100).max(1).min(n.max(1)) - 1)
                                .copied(),
                        ),
                        (
                            "a float such as 0.07 * 100 is a little more than 7, and was rounded up",
                            sorted
                                .get(
                                    ((percent as f64 / 100.0 * n as f64).ceil() as usize)
                                        .max(1)
                                        .min(n.max(1))
                                        - 1,
                                )
                                .copied(),
                        ),
                        (
                            "16 bits do not hold every number of samples",
                            sorted
                                .get((n % 65_536 * percent).div_ceil(100).max(1) - 1)
                                .filter(|_| n > 65_535)
                                .copied(),
                        ),
                        (
                            "one rank too high",
                            sorted.get((n * percent / 100).min(n.saturating_sub(1))).copied(),
                        ),
                    ],
                )?;
            }
        }
        Ok(())
    }
}
