//? recognised: in the middle of a line
//? why: Pads each counter to 64 bytes. The distance is right, but nothing says where the first one begins: it shares its line with other data.

use std::sync::atomic::{AtomicU64, Ordering};

#[derive(Default)]
struct Padded {
    counter: AtomicU64,
    _room: [u64; 7],
}

pub struct Counters {
    threads: usize,
    counters: Vec<Padded>,
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        Counters { threads, counters: (0..threads).map(|_| Padded::default()).collect() }
    }

    pub fn add(&self, thread: usize, by: u64) {
        self.counter(thread).fetch_add(by, Ordering::Relaxed);
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        &self.counters[thread].counter
    }

    pub fn total(&self) -> u64 {
        (0..self.threads).map(|thread| self.counter(thread).load(Ordering::Relaxed)).sum()
    }
}
