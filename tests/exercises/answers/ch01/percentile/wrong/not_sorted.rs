//? recognised: order of measurement
//? why: Picks by rank from the order of measurement: the sample that happened to come at that place.

pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let rank = (samples.len() * percent).div_ceil(100).max(1);
    samples.get(rank - 1).copied()
}
