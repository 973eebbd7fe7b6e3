//? recognised: order of measurement
//? why: Compares the samples as whole numbers. Samples that differ in their fraction only stay in the order of measurement.

// samples: [n]
pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(|a: &f64, b: &f64| (*a as i64).cmp(&(*b as i64)));
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
