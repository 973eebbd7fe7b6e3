//? recognised: first thread that finds no piece
//? why: Returns when the first thread runs out of work. The job is over when the last one does.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let mut times = vec![0; threads];
    for cost in costs {
        *times.iter_mut().min().unwrap() += cost;
    }
    times.into_iter().min().unwrap_or(0)
}
