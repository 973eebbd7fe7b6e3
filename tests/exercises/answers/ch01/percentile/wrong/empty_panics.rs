//? recognised: no samples
//? why: Indexes into an empty list. A run without a single decode step would end in a panic.

pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    Some(sorted[rank - 1])
}
