//? recognised: lost
//? why: Reads the total, computes, and stores the new total. What other threads have added meanwhile is lost.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;

pub const BLOCK: usize = 64;

pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    let blocks: Vec<&[f32]> = numbers.chunks(BLOCK).collect();
    let next = AtomicUsize::new(0);
    let total = AtomicU32::new(0f32.to_bits());
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while let Some(numbers) = blocks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let before = f32::from_bits(total.load(Ordering::SeqCst));
                    let after = before + sum_block(numbers);
                    total.store(after.to_bits(), Ordering::SeqCst);
                }
            });
        }
    });
    f32::from_bits(total.into_inner())
}
