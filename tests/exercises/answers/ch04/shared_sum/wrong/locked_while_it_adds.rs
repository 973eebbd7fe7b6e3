//? recognised: one thread at a time
//? why: Holds the mutex while a block is summed. The order is still that of the threads, and now they also wait for each other.

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
    let total = Mutex::new(0.0f32);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(numbers) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut total = total.lock().unwrap();
                    *total += sum_block(numbers);
                }
            });
        }
    });
    total.into_inner().unwrap()
}
