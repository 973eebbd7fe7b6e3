//? recognised: the last pair is missing
//? why: Leaves out the last time always, in case it is an A without its B. Where it is a B, its pair is lost.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> = times
        .chunks_exact(2)
        .skip(warm_up)
        .take((times.len().saturating_sub(1)) / 2)
        .map(|p| p[0] / p[1])
        .collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    if n == 0 {
        return None;
    }
    Some((ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
}
