//? recognised: sorted without the signs
//? why: Compares the samples by their absolute values. A difference of two times, say, may be negative.

pub fn nearest_rank(samples: &[f64], percent: usize) -> Option<f64> {
    let mut s = samples.to_vec();
    s.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let rank = (percent * s.len()).div_ceil(100).max(1);
    s.get(rank - 1).copied()
}
