//? recognised: share a line
//? why: A plain `Vec` of counters: eight of them share a line, and eight threads take it from each other.

use std::sync::atomic::{AtomicU64, Ordering};

pub struct Counters {
    threads: usize,
    counters: Vec<AtomicU64>,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, counters: (0..threads).map(|_| AtomicU64::new(0)).collect() }
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
