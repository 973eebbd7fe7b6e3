//? recognised: one thread did everything
//? why: Adds all costs, as if a single thread did everything.

pub fn last_piece(costs: &[u64], _threads: usize) -> u64 {
    costs.iter().sum()
}
