//? recognised: sorted
//? why: Sorts the sums before it adds them. The bits are the same in every run, but they are those of another order than the one that was asked for.

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
    let sums = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(numbers) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let sum = sum_block(numbers);
                    sums.lock().unwrap().push(sum);
                }
            });
        }
    });
    let mut sums: Vec<f32> = sums.into_inner().unwrap();
    sums.sort_by(f32::total_cmp);
    sums.into_iter().fold(0.0, |a, b| a + b)
}
