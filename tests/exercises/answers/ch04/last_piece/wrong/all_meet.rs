//? recognised: wait for each other
//? why: Lets all threads meet after every round of pieces, as a barrier would. Each round is as long as its longest piece.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    costs.chunks(threads).map(|round| round.iter().copied().max().unwrap_or(0)).sum()
}
