//? title: How much faster: the median of interleaved ratios
//? page: ch01/metrics.md
//? section: Comparing two settings
//? level: core
//? minutes: 30
//? call: check(median_ratio)
//? hint 1: The times come as A B A B ... A machine that slows down half way hits an A and the B beside it alike. What should be divided by what?
//? hint 2: Pairs: run 0 with run 1, run 2 with run 3. Drop the first `warm_up` pairs, form before / after for each of the others, take the median.
//? hint 3: `chunks_exact(2)`, `skip(warm_up)`, `map(|pair| pair[0] / pair[1])`, sort with `total_cmp`; the median is the mean of elements (n - 1) / 2 and n / 2.
//? why: Neighbours in time share the state of the machine, so their ratio is steady even where the times are not. The median
//?   ignores a pair in which one run was disturbed; a mean does not. The first pairs also fill caches, so they do not
//?   count. With the indices (n - 1) / 2 and n / 2 one line serves odd and even counts.

// Two settings were run in turn: `times[0]` is a run of A (before), `times[1]` of B (after), `times[2]` of A again, and so on.
//
// Return the speed-up: the median, over all pairs of neighbours, of time A / time B (2.0: B takes half the time). The first
// `warm_up` pairs do not count, nor does a last A without its B. For an even number of pairs the median is the
// mean of the two in the middle. No pair left: `None`.

// times: [2 * pairs], or one more
pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    //-- starter
    // todo!()
    //-- solution
    let mut ratios: Vec<f64> =
        times.chunks_exact(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    let lower = ratios.get(n.checked_sub(1)? / 2)?;
    Some((lower + ratios[n / 2]) / 2.0)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call_or};

    pub fn check(answer: fn(&[f64], usize) -> Option<f64>) -> Checked {
        let nearly = [8.0, 2.0, 4.0, 10.0, 6.0].map(|x| [1.0 + x * 1e-12, 1.0]).concat();
        // 300 pairs, as 2, 9, 16, ... to 1.
        let many: Vec<f64> = (0..300).flat_map(|i| [f64::from(2 + i * 7 % 300), 1.0]).collect();
        let cases: [(&[f64], usize); 10] = [
            (&[50.0, 20.0, 24.0, 10.0, 30.0, 10.0, 77.0, 11.0, 26.0, 13.0], 1),
            (&[10.0, 4.0, 9.0, 3.0, 40.0, 5.0, 8.0, 4.0, 7.0], 0),
            (&[10.0, 4.0, 9.0, 3.0], 1),
            (&[10.0, 4.0, 9.0, 3.0, 40.0, 5.0, 80.0, 4.0], 0),
            (&nearly, 0),
            (&many, 0),
            (&[10.0, 4.0], 1),
            (&[10.0, 4.0], usize::MAX),
            (&[], 0),
            (&[10.0], 2),
        ];
        for (times, warm_up) in cases {
            let case = match times.len() {
                600 => "300 pairs: 2 and 1, 9 and 1, 16 and 1, ...; warm_up 0".to_string(),
                _ => format!("times {times:?}, warm_up {warm_up}"),
            };
            let reason = match warm_up {
                usize::MAX => "warm_up may be any number",
                _ => "no pair is left: None",
            };
            let expected = median(ratios(times, warm_up));
            let found =
                call_or(&case, format!("{expected:?}"), reason, || answer(times, warm_up))?;
            let near = |wanted: Option<f64>| match (wanted, found) {
                (Some(wanted), Some(found)) => (wanted - found).abs() < 1e-14 * wanted,
                (wanted, found) => wanted == found,
            };
            if near(expected) {
                continue;
            }
            let pairs: Vec<&[f64]> = times.chunks_exact(2).skip(warm_up).collect();
            let sum = |i: usize| pairs.iter().map(|pair| pair[i]).sum::<f64>();
            let counted = ratios(times, warm_up);
            let mut sorted = counted.clone();
            sorted.sort_by(f64::total_cmp);
            let overlapping =
                times.windows(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect();
            let too_early = times.get(warm_up..).unwrap_or_default();
            let too_early = too_early.chunks_exact(2).map(|pair| pair[0] / pair[1]).collect();
            let mistakes = [
                (
                    median(overlapping),
                    "every run was paired with the next: B with the A of the next pair too",
                ),
                (median(too_early), "warm_up counts pairs: twice as many times are left out"),
                (
                    Some(sum(0) / sum(1)),
                    "a ratio of two means: one disturbed run moves it; take the median of the pairs' ratios",
                ),
                (
                    Some(counted.iter().sum::<f64>() / counted.len() as f64),
                    "the mean of the ratios; the task asks for their median",
                ),
                (
                    sorted.get(sorted.len() / 2).copied(),
                    "an even number of pairs: the median is the mean of the two in the middle",
                ),
                (
                    median(counted.iter().map(|ratio| 1.0 / ratio).collect()),
                    "the ratio is upside down: time A / time B",
                ),
            ];
            let failure = Failure::new(&case, format!("{expected:?}"), format!("{found:?}"));
            return Err(failure.likely(
                mistakes
                    .iter()
                    .find(|(wrong, _)| near(*wrong))
                    .map_or("", |(_, reason)| *reason),
            ));
        }
        Ok(())
    }

    fn ratios(times: &[f64], warm_up: usize) -> Vec<f64> {
        times.chunks_exact(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect()
    }

    fn median(mut values: Vec<f64>) -> Option<f64> {
        values.sort_by(f64::total_cmp);
        let n = values.len();
        (n > 0).then(|| (values[(n - 1) / 2] + values[n / 2]) / 2.0)
    }
}
