//? title: A percentile that occurred: nearest rank
//? page: ch01/metrics.md
//? section: Percentiles
//? level: warm-up
//? minutes: 15
//? call: check(answer::nearest_rank)
//? hint 1: Of 20 measurements, how many must not be larger than the 95th percentile? Which one is it, when they are sorted?
//? hint 2: Sort; the rank is percent / 100 * n, rounded up, and at least 1; rank 1 is index 0. Rounding up in integers is `div_ceil`.
//? hint 3: `sorted[(sorted.len() * percent).div_ceil(100).max(1) - 1]`, after the case of no samples; sort with `f64::total_cmp`.
//? why: Nearest rank returns a measurement that took place, even if there are only three. Interpolation invents a number
//?   between two. The rank is computed in integers, because floats round: 7 % of 100 is 7.000000000000001 in `f64`, and
//?   rounding that up gives 8.

//! Two definitions of a percentile are common: nearest rank, and interpolation between two neighbours. This course
//! uses nearest rank: the smallest sample that at least `percent` percent of all samples do not exceed. It is always one
//! of the samples.
//!
//! `samples` come in the order of measurement, `percent` is 0 to 100 (0 asks for the smallest). No samples: `None`.
//! Example: the 50th percentile of 4, 1, 3, 2 is 2, and the 95th is 4.

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
