//? recognised: upside down
//? why: Divides B by A. A setting that is twice as fast would be reported as 0.5.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> =
        times.chunks_exact(2).skip(warm_up).map(|pair| pair[1] / pair[0]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    (n > 0).then(|| (ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
}
