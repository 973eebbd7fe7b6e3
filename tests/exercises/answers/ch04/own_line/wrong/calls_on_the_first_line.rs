//? recognised: another line
//? why: Uses the room on the first line to count the calls. All threads write there then.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering;

pub struct Counters {
    lines: Vec<OwnLine>,
}

#[derive(Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64, AtomicU64);

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { lines: (0..threads).map(|_| OwnLine::default()).collect() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.lines[0].1.fetch_add(1, Ordering::Relaxed);
        self.lines[thread].0.fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.lines[thread].0
    }

    pub fn total(&self) -> u64 {
        self.lines.iter().map(|line| line.0.load(Ordering::Relaxed)).sum()
    }
}
