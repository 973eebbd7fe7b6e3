//? title: How much faster: the median of interleaved ratios
//? page: ch01/metrics.md
//? section: Comparing two settings
//? level: core
//? minutes: 30
//? call: check(answer::median_ratio)
//? hint 1: The times come as A B A B ... A machine that slows down half way hits an A and the B beside it alike. What should be divided by what?
//? hint 2: Pairs: run 0 with run 1, run 2 with run 3. Drop the first `warm_up` pairs, form before / after for each of the others, take the median.
//? hint 3: `chunks_exact(2)`, `skip(warm_up)`, `map(|pair| pair[0] / pair[1])`, sort with `total_cmp`; the median is the mean of elements (n - 1) / 2 and n / 2.
//? why: Neighbours in time share the state of the machine, so their ratio is steady even where the times are not. The median
//?   ignores a pair in which one run was disturbed; a mean does not. The first pairs also fill caches, so they do not
//?   count. With the indices (n - 1) / 2 and n / 2 one line serves odd and even counts.

//! Two settings were run in turn: `times[0]` is a run of A (before), `times[1]` of B (after), `times[2]` of A again, and so on.
//!
//! Return the speed-up: the median, over all pairs of neighbours, of time A / time B (2.0: B takes half the time). The first
//! `warm_up` pairs do not count, nor does a last A without its B. For an even number of pairs the median is the
//! mean of the two in the middle. No pair left: `None`.

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
