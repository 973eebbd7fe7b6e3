//? recognised: share a line
//? why: Aligns the struct that holds the list. The counters are elsewhere, side by side, where the pointer of the `Vec` leads.

use std::sync::atomic::{AtomicU64, Ordering};

#[repr(align(64))]
pub struct Counters {
    counters: Vec<AtomicU64>,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { counters: (0..threads).map(|_| AtomicU64::new(0)).collect() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counters[thread].fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.counters[thread]
    }

    pub fn total(&self) -> u64 {
        self.counters.iter().map(|counter| counter.load(Ordering::Relaxed)).sum()
    }
}
