//? recognised: the last piece of the list
//? why: Returns when the last piece of the list is done. A longer one before it may end later.

pub fn last_piece(costs: &[u64], threads: usize) -> u64 {
    let (mut times, mut end) = (vec![0; threads], 0);
    for cost in costs {
        let free = times.iter_mut().min().unwrap();
        *free += cost;
        end = *free;
    }
    end
}
