//? recognised: divided evenly
//? why: Divides all the work by the threads. No piece can be cut, so this is only the least that it could be.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    costs.iter().sum::<u64>().div_ceil(threads as u64)
}
