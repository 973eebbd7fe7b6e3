//? recognised: warm-up pairs count
//? why: Ignores `warm_up`. The first pairs also fill caches and map pages, and do not measure the setting.

pub fn median_ratio(times: &[f64], _warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> = times.chunks_exact(2).map(|pair| pair[0] / pair[1]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    (n > 0).then(|| (ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
}
