//? recognised: the same address
//? why: One counter for all threads. The total is right, and every addition takes the line from another CPU.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64);

pub struct Counters {
    threads: usize,
    line: OwnLine,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, line: OwnLine::default() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counter(thread).fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.line.0
    }

    pub fn total(&self) -> u64 {
        self.line.0.load(Ordering::Relaxed)
    }
}
