//? recognised: the same address
//? why: Has room for eight threads. The ninth shares the counter of the first.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64);

pub struct Counters {
    threads: usize,
    lines: [OwnLine; 8],
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, lines: Default::default() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counter(thread).fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.lines[thread % 8].0
    }

    pub fn total(&self) -> u64 {
        self.lines.iter().map(|line| line.0.load(Ordering::Relaxed)).sum()
    }
}
