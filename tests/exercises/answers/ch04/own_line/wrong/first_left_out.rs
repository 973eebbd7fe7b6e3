//? recognised: left out
//? why: Begins with thread 1. Threads are counted from 0.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64);

pub struct Counters {
    threads: usize,
    lines: Vec<OwnLine>,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, lines: (0..threads).map(|_| OwnLine::default()).collect() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counter(thread).fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.lines[thread].0
    }

    pub fn total(&self) -> u64 {
        self.lines.iter().skip(1).map(|line| line.0.load(Ordering::Relaxed)).sum()
    }
}
