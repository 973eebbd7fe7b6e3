//? title: A percentile that occurred: nearest rank
//? page: ch03/profile.md
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
    use exercise_kit::explained::{as_written, ask_each};
    use exercise_kit::{Checked, Random};

    /// Samples and a percentage, and why the answer is likely to be wrong, if it was right before.
    type Given = (Vec<f64>, usize, &'static str);

    pub fn check(answer: fn(&[f64], usize) -> Option<f64>) -> Checked {
        let case = |(samples, percent, _): &Given| {
            let (n, first) = (samples.len(), &samples[..samples.len().min(100)]);
            format!("percentile {percent} of {n} samples, {first:?}")
        };
        let answer = |(samples, percent, _): &Given| answer(samples, *percent);
        let right = |(samples, percent, _): &Given| {
            let mut sorted = samples.clone();
            sorted.sort_by(f64::total_cmp);
            // The first of which so many are not above it.
            let enough = |rank: &usize| rank * 100 >= samples.len() * percent;
            let rank = (1..=samples.len()).find(enough)?;
            Some(sorted[rank - 1])
        };
        let likely = |(samples, _, likely): &Given,
                      _: &Option<f64>,
                      found: Option<&Option<f64>>| {
            match found.copied().flatten().is_some_and(|found| !samples.contains(&found)) {
                true => "interpolation between two samples; nearest rank returns one of them",
                false => likely,
            }
        };
        ask_each(given(), case, answer, right, likely, as_written)
    }

    /// In each of the first, one thing more can go wrong.
    fn given() -> Vec<Given> {
        let few = vec![4.0, 1.0, 3.0, 2.0];
        let many = |n: usize| (0..n).map(|i| (i * 7 % n) as f64).collect::<Vec<f64>>();
        let mut all = vec![
            (few.clone(), 25, "one rank too high"),
            (few, 30, "rounded to the nearest rank: here too few samples are below it"),
            (
                many(100),
                7,
                "a float such as 0.07 * 100 is a little more than 7, and was rounded up",
            ),
            (Vec::new(), 50, "no samples have no percentile: None"),
            (many(70_001), 95, "16 bits do not hold every number of samples"),
            (vec![1.0 + 2.0 * f64::EPSILON, 1.0, 1.0 + f64::EPSILON], 50, ""),
        ];
        let mut random = Random::new(9);
        for i in 0..600 {
            // Some of them are equal, some negative.
            let mut any = |_| (random.below(2 + i) as f64 - 4.0) / 8.0;
            let samples = (0..i / 4).map(&mut any).collect();
            all.push((samples, random.below(101), ""));
        }
        all
    }
}
