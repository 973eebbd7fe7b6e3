//? recognised: in the middle of a line
//? why: Uses every eighth counter of a long list. A list of `AtomicU64` begins at a multiple of 8, which need not be the beginning of a line.

use std::sync::atomic::{AtomicU64, Ordering};

pub struct Counters {
    threads: usize,
    counters: Vec<AtomicU64>,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, counters: (0..8 * threads).map(|_| AtomicU64::new(0)).collect() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counter(thread).fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.counters[8 * thread]
    }

    pub fn total(&self) -> u64 {
        (0..self.threads).map(|thread| self.counter(thread).load(Ordering::Relaxed)).sum()
    }
}
