//? recognised: the same memory
//? why: Keeps the counters in a static list. Two `Counters` at the same time add to the same numbers.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

pub struct Counters {
    lines: &'static [OwnLine],
}

#[derive(Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64);

impl Counters {
    pub fn new(threads: usize) -> Counters {
        static LINES: [OwnLine; 256] = [const { OwnLine(AtomicU64::new(0)) }; 256];
        Counters { lines: &LINES[..threads] }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.lines[thread].0.fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.lines[thread].0
    }

    pub fn total(&self) -> u64 {
        self.lines.iter().map(|line| line.0.load(Ordering::Relaxed)).sum()
    }
}
