//? recognised: nearly equal have an order too
//? why: Sorts by three digits. Ratios that differ in the fourth keep the order in which they came, and the middle is any of them.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> =
        times.chunks_exact(2).skip(warm_up).map(|p| p[0] / p[1]).collect();
    ratios.sort_by_key(|r| (r * 1000.0) as i64);
    let n = ratios.len();
    if n == 0 {
        return None;
    }
    Some((ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
}
