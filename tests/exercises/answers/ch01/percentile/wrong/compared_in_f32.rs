//? recognised: order of measurement
//? why: Compares the samples as f32. Samples that differ after the seventh digit stay in the order of measurement.

// samples: [n]
pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(|a, b| (*a as f32).total_cmp(&(*b as f32)));
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
