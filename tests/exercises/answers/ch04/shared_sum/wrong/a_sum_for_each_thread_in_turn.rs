//? recognised: depends on the number of threads
//? why: Deals the blocks to the threads in turn, and every thread adds its own. The order of the additions depends on the number of threads.

use std::thread;

pub const BLOCK: usize = 64;

pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    let blocks: Vec<&[f32]> = numbers.chunks(BLOCK).collect();
    thread::scope(|scope| {
        let blocks = &blocks;
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let own = move || {
                    let own = blocks.iter().skip(thread).step_by(threads);
                    own.map(|block| sum_block(block)).fold(0.0, |a, b| a + b)
                };
                scope.spawn(own)
            })
            .collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).fold(0.0, |a, b| a + b)
    })
}
