//? recognised: one thread at a time
//? why: Starts each thread when the one before it has ended. That fixes the order, and no two threads ever work at the same time.

use std::thread;

pub const BLOCK: usize = 64;

pub fn shared_sum(
    numbers: &[f32],
    threads: usize,
    sum_block: &(dyn Fn(&[f32]) -> f32 + Sync),
) -> f32 {
    let share = numbers.len().div_ceil(BLOCK).div_ceil(threads).max(1) * BLOCK;
    let mut total = 0.0;
    for share in numbers.chunks(share) {
        thread::scope(|scope| {
            scope.spawn(|| share.chunks(BLOCK).for_each(|block| total += sum_block(block)));
        });
    }
    total
}
