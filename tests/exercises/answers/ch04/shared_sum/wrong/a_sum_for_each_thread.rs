//? recognised: depends on the number of threads
//? why: Every thread adds the blocks of its share, and the shares are added in order. Every run gives the same bits, but another number of threads gives others.

use std::thread;

pub const BLOCK: usize = 64;

pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    let share = numbers.len().div_ceil(BLOCK).div_ceil(threads).max(1) * BLOCK;
    thread::scope(|scope| {
        let workers: Vec<_> = numbers
            .chunks(share)
            .map(|share| {
                let of_share = || share.chunks(BLOCK).map(sum_block).fold(0.0, |a, b| a + b);
                scope.spawn(of_share)
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).fold(0.0, |a, b| a + b)
    })
}
