//? recognised: too few samples are below
//? why: Rounds the rank to the nearest. For 30 % of 4 that is rank 1, and only 25 % of the samples are not above it.

pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() as f64 * percent as f64 / 100.0).round() as usize;
    sorted.get(rank.max(1) - 1).copied()
}
