//? recognised: order of measurement
//? why: Sorts by whole thousandths. Samples that differ in less stay in the order of measurement.

// samples: [n]
pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by_key(|x| (x * 1000.0) as i64);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
