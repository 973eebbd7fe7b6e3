//? recognised: warm_up may be
//? why: Doubles `warm_up`, which may be any number: the product overflows.

// times: [2 * pairs], or one more
pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> =
        times.chunks_exact(2).skip(2 * warm_up / 2).map(|pair| pair[0] / pair[1]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    let lower = ratios.get(n.checked_sub(1)? / 2)?;
    Some((lower + ratios[n / 2]) / 2.0)
}
