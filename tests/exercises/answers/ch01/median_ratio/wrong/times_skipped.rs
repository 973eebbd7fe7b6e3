//? recognised: warm_up counts pairs
//? why: Skips `warm_up` times instead of pairs. With one, every B is paired with the next A.

pub fn median_ratio(times: &[f64], warm_up: usize) -> Option<f64> {
    let times = times.get(warm_up..)?;
    let mut ratios: Vec<f64> = times.chunks_exact(2).map(|pair| pair[0] / pair[1]).collect();
    ratios.sort_by(f64::total_cmp);
    let n = ratios.len();
    (n > 0).then(|| (ratios[(n - 1) / 2] + ratios[n / 2]) / 2.0)
}
