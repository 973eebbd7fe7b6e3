//? recognised: twice
//? why: Looks at the number of the next block, works, and then moves the number on. Meanwhile another thread takes the same block.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

pub const BLOCK: usize = 64;

pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    let blocks: Vec<&[f32]> = numbers.chunks(BLOCK).collect();
    let next = AtomicUsize::new(0);
    let sums = Mutex::new(vec![0.0; blocks.len()]);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let block = next.load(Ordering::SeqCst);
                    let Some(numbers) = blocks.get(block) else { break };
                    let sum = sum_block(numbers);
                    sums.lock().unwrap()[block] = sum;
                    next.store(block + 1, Ordering::SeqCst);
                }
            });
        }
    });
    sums.into_inner().unwrap().into_iter().fold(0.0, |a, b| a + b)
}
