//? recognised: a line
//? why: Allocates every counter alone. An allocation of 8 bytes takes 16 or 32, and so does the next one, which is often on the same line.

use std::sync::atomic::{AtomicU64, Ordering};

pub struct Counters {
    threads: usize,
    counters: Vec<Box<AtomicU64>>,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, counters: (0..threads).map(|_| Box::default()).collect() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counter(thread).fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.counters[thread]
    }

    pub fn total(&self) -> u64 {
        (0..self.threads).map(|thread| self.counter(thread).load(Ordering::Relaxed)).sum()
    }
}
