//? recognised: as many neighbouring pieces
//? why: Cuts the list into one stretch for each thread. With blocks that grow, the last thread has all the large ones.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let length = costs.len().div_ceil(threads).max(1);
    costs.chunks(length).map(|share| share.iter().sum()).max().unwrap_or(0)
}
