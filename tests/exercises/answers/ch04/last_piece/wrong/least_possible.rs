//? recognised: the least possible
//? why: Takes the larger of the mean and the longest piece. It is never later than that, and often it is.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let even = costs.iter().sum::<u64>().div_ceil(threads as u64);
    even.max(costs.iter().copied().max().unwrap_or(0))
}
