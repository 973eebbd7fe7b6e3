//? recognised: in pairs
//? why: Adds the sums in pairs, then the pairs, and so on. That is a fixed order too, but not the one that was asked for.

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
                    let block = next.fetch_add(1, Ordering::SeqCst);
                    let Some(numbers) = blocks.get(block) else { break };
                    let sum = sum_block(numbers);
                    sums.lock().unwrap()[block] = sum;
                }
            });
        }
    });
    let mut sums = sums.into_inner().unwrap();
    while sums.len() > 1 {
        sums = sums.chunks(2).map(|pair| pair.iter().sum()).collect();
    }
    sums.first().copied().unwrap_or(0.0)
}
