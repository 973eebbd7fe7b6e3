//! A sum by several threads, with a fault
//!
//! The sum of many numbers, by `threads` threads. The numbers are cut into blocks of `BLOCK`, the last of which may be
//! shorter. `sum_block` returns the sum of one block. The result is defined, to the bit: begin with 0.0, and add the
//! sums of the blocks in `f32`, in the order of the blocks.
//!
//! - The result has the same bits for any number of threads, and in every run.
//! - `sum_block` is called once for each block. Where there are two threads or more, several of them work at the same time.
//! - `threads` is at least 1 and may be larger than the number of blocks. No numbers give 0.0.
//!
//! This function compiles and is often right. Find its fault, and mend it.
//!
//! Level: core, about 25 minutes.
//! Read: "What must not change", in the book at ch04/index.html.
//! Run: `cargo run -- watch shared_sum`, or once: `cargo test -p ch04-exercises shared_sum`.
//! Stuck: `cargo run -- hint shared_sum`. Done: `cargo run -- solution shared_sum`. Start over: `cargo run -- reset shared_sum`.

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
    let total = Mutex::new(0.0);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let block = next.fetch_add(1, Ordering::Relaxed);
                    let Some(numbers) = blocks.get(block) else { break };
                    let sum = sum_block(numbers);
                    let mut total = total.lock().expect("no thread panics while it holds this");
                    *total += sum;
                }
            });
        }
    });
    total.into_inner().expect("all threads have ended")
}

// The test. It stays here.
exercise_kit::exercise!(check(shared_sum) in "../../../../tests/exercises/answers/ch04/shared_sum.rs");
