//? recognised: begins with -0.0
//? why: Adds with `sum()`. For floats the library begins with -0.0, so that a list of -0.0 keeps its sign: no numbers give -0.0.

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
    let sums = Mutex::new(vec![0.0f32; blocks.len()]);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let Some(numbers) = blocks.get(block) else { break };
                    let sum = sum_block(numbers);
                    sums.lock().expect("no panic")[block] = sum;
                }
            });
        }
    });
    let sums = sums.into_inner().expect("ended");
    sums.iter().sum()
}
