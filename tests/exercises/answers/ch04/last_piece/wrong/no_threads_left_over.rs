//? recognised: more threads than pieces
//? why: Uses only as many threads as there are pieces, and with no piece asks for the largest of no times.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let mut times = vec![0; threads.min(costs.len())];
    for cost in costs {
        *times.iter_mut().min().unwrap() += cost;
    }
    times.into_iter().max().unwrap()
}
