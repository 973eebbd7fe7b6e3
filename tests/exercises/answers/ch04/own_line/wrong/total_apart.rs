//? recognised: one line
//? why: Keeps the total in a number of its own, and adds to it each time. All threads write to that line, which is what the counters were to avoid.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64);

pub struct Counters {
    threads: usize,
    lines: Vec<OwnLine>,
    sum: OwnLine,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters {
            threads,
            lines: (0..threads).map(|_| OwnLine::default()).collect(),
            sum: OwnLine::default(),
        }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.lines[thread].0.fetch_add(by, Ordering::Relaxed);
        self.sum.0.fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.lines[thread].0
    }

    pub fn total(&self) -> u64 {
        self.sum.0.load(Ordering::Relaxed)
    }
}
