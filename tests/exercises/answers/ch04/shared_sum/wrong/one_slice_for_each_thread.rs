//? recognised: blocks of 64
//? why: Gives each thread one long slice. The result then depends on where the slices begin and end, and so on the number of threads.

use std::thread;

pub const BLOCK: usize = 64;

pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    let share = numbers.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> =
            numbers.chunks(share).map(|share| scope.spawn(|| sum_block(share))).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).fold(0.0, |a, b| a + b)
    })
}
