//? recognised: any number of pairs
//? why: Keeps the number of pairs in a byte.

// times: [2 * pairs], or one more
pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> =
        times.chunks_exact(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = usize::from(ratios.len() as u8);
    let lower = ratios.get(n.checked_sub(1)? / 2)?;
    Some((lower + ratios[n / 2]) / 2.0)
}
