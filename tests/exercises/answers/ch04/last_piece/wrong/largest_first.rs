//? recognised: in the order given
//? why: Sorts the pieces first. That is what attention does with its blocks, but here the order is the caller's.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let mut costs = costs.to_vec();
    costs.sort_unstable_by(|a, b| b.cmp(a));
    let mut times = vec![0; threads];
    for cost in costs {
        *times.iter_mut().min().unwrap() += cost;
    }
    times.into_iter().max().unwrap_or(0)
}
