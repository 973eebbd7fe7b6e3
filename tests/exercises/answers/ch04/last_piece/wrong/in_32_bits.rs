//? recognised: fit into 32 bits
//? why: Keeps the times in 32 bits. A job of a minute has more nanoseconds than that.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let mut times = vec![0_u32; threads];
    for &cost in costs {
        let free = times.iter_mut().min().unwrap();
        *free = free.wrapping_add(cost as u32);
    }
    u64::from(times.into_iter().max().unwrap_or(0))
}
