//? recognised: in f64
//? why: Adds the sums in f64 and rounds at the end. That hides the order in most runs. It is another result, and now and then the order still shows.

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
    let total = Mutex::new(0.0f64);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(numbers) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let sum = sum_block(numbers);
                    *total.lock().unwrap() += f64::from(sum);
                }
            });
        }
    });
    total.into_inner().unwrap() as f32
}
