//? recognised: paired with the next
//? why: Takes `windows(2)`, which also divides each B by the A after it. Half of the ratios are upside down.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let mut ratios: Vec<f64> =
        times.windows(2).skip(warm_up).map(|pair| pair[0] / pair[1]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    (n > 0).then(|| (ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
}
