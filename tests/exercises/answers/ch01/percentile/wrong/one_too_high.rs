//? recognised: one rank too high
//? why: Uses the rank as an index. Ranks count from 1, indices from 0.

pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().checked_sub(1)?;
    Some(sorted[(sorted.len() * percent / 100).min(last)])
}
