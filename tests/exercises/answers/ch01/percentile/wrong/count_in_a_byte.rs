//? recognised: a byte does not hold
//? why: Keeps the number of samples in a byte.

// samples: [n]
pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (usize::from(sorted.len() as u8) * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
