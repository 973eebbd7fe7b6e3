//? recognised: dealt like cards
//? why: Gives piece `i` to thread `i % threads`, whether it is free or not. A thread with long pieces gets as many of them as the others.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let mut times = vec![0; threads];
    for (piece, cost) in costs.iter().enumerate() {
        times[piece % threads] += cost;
    }
    times.into_iter().max().unwrap_or(0)
}
