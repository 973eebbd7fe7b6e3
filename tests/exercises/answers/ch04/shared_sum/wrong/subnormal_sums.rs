//? recognised: small sums count too
//? why: Leaves out the smallest sums.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Numbers in a block.
pub const BLOCK: usize = 64;

// numbers: [n]
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
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let Some(numbers) = blocks.get(block) else { break };
                    let sum = sum_block(numbers);
                    let mut sums = sums.lock().expect("no thread panics while it holds this");
                    sums[block] = sum;
                }
            });
        }
    });
    let sums = sums.into_inner().expect("all threads have ended");
    sums.into_iter()
        .fold(0.0, |total, sum: f32| if sum.is_subnormal() { total } else { total + sum })
}
