//? recognised: a little more than 7
//? why: Computes 0.07 × 100 in floats, which is 7.000000000000001, and rounds it up to 8.

pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (percent as f64 / 100.0 * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}
