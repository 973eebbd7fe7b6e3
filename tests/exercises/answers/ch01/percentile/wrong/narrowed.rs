//? recognised: none of the samples
//? why: Keeps the samples as f32. What it returns is near one of them and is none.

// samples: [n]
pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.iter().map(|x| f64::from(*x as f32)).collect::<Vec<_>>();
    sorted.sort_by(f64::total_cmp);
    let rank = (sorted.len() * percent).div_ceil(100).max(1);
    sorted.get(rank - 1).copied()
}
