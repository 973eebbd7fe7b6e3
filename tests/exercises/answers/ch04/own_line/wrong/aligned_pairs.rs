//? recognised: share a line
//? why: Puts two counters into each aligned struct. Two threads share its line.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
#[repr(align(64))]
struct Pair([AtomicU64; 2]);

pub struct Counters {
    threads: usize,
    pairs: Vec<Pair>,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, pairs: (0..threads.div_ceil(2)).map(|_| Pair::default()).collect() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counter(thread).fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.pairs[thread / 2].0[thread % 2]
    }

    pub fn total(&self) -> u64 {
        (0..self.threads).map(|thread| self.counter(thread).load(Ordering::Relaxed)).sum()
    }
}
