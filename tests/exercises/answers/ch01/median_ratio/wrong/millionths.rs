//? recognised: have an order too
//? why: Sorts by whole millionths. Ratios that differ in less stay in the order of the pairs.

// times: [2 * pairs], or one more
pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> =
        times.chunks_exact(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect();
    ratios.sort_by_key(|x| (x * 1e6) as i64);
    let n = ratios.len();
    let lower = ratios.get(n.checked_sub(1)? / 2)?;
    Some((lower + ratios[n / 2]) / 2.0)
}
