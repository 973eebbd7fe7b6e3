//? title: A sum by several threads, with a fault
//? page: ch04/index.md
//? section: What must not change
//? level: core
//? minutes: 25
//? call: check(answer::shared_sum)
//? hint 1: The check names the block that took longest. No number is lost, and none is added twice. What else can change a sum of floats?
//? hint 2: Each block's own sum is always the same. The threads add these sums to `total` as they finish, and who finishes first is different in every run.
//? hint 3: Let the threads write each sum to its own place: `let sums = Mutex::new(vec![0.0; blocks.len()]);` and `sums[block] = sum`. When all threads have ended, add the places in order.
//? why: A float addition rounds, so the order of the additions is a part of the result. In the given function the order is that in
//?   which threads finish. The mutex keeps two additions apart, and it does not say which comes first. Now a thread writes only
//?   to the place of its block. The additions come after the last thread has ended, in an order that no thread has a say in.

//! The sum of many numbers, by `threads` threads. The numbers are cut into blocks of `BLOCK`, the last of which may be
//! shorter. `sum_block` returns the sum of one block. The result is defined, to the bit: begin with 0.0, and add the
//! sums of the blocks in `f32`, in the order of the blocks.
//!
//! - The result has the same bits for any number of threads, and in every run.
//! - `sum_block` is called once for each block. Where there are two threads or more, several of them work at the same time.
//! - `threads` is at least 1 and may be larger than the number of blocks. No numbers give 0.0.
//!
//! This function compiles and is often right. Find its fault, and mend it.

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
    //-- starter
    // let total = Mutex::new(0.0);
    //-- solution
    let sums = Mutex::new(vec![0.0; blocks.len()]);
    //-- end
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let Some(numbers) = blocks.get(block) else { break };
                    let sum = sum_block(numbers);
                    //-- starter
                    // let mut total = total.lock().expect("no thread panics while it holds this");
                    // *total += sum;
                    //-- solution
                    let mut sums = sums.lock().expect("no thread panics while it holds this");
                    sums[block] = sum;
                    //-- end
                }
            });
        }
    });
    //-- starter
    // total.into_inner().expect("all threads have ended")
    //-- solution
    let sums = sums.into_inner().expect("all threads have ended");
    sums.into_iter().fold(0.0, |total, sum| total + sum)
    //-- end
}
