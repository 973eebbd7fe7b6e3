//! Counters for threads, each on a cache line of its own
//!
//! Each of `n` threads counts what it has done. Two CPUs that write to the same *cache line*, which is 64 bytes, take it from each
//! other again and again, even when they write to different bytes of it. So every counter gets a line of its own.
//!
//! - `new(threads)`: a counter for each thread, all 0. There may be any number of threads.
//! - `add(thread, by)`: adds to the counter of this thread, and writes to no other line. `thread` is less than `threads`.
//! - `counter(thread)`: the counter itself. Its address is a multiple of 64, and no other counter is on its line.
//! - `total()`: the sum of all counters as they are now.
//!
//! Only the thread itself adds to its counter, but any thread may ask for the total at any time. The check looks at addresses,
//! and at the bytes of the struct and of all lines. What is elsewhere it cannot see: that none of it is shared is on you.
//!
//! Level: core, about 20 minutes.
//! Read: "False sharing: two threads on one line", in the book at ch04/heads.html.
//! Run: `cargo run -- watch own_line`, or once: `cargo test -p ch04-exercises own_line`.
//! Stuck: `cargo run -- hint own_line`. Done: `cargo run -- solution own_line`. Start over: `cargo run -- reset own_line`.

use std::sync::atomic::AtomicU64;

pub struct Counters {
    // The fields are yours to choose.
}

impl Counters {
    pub fn new(threads: usize) -> Counters {
        todo!()
    }

    pub fn add(&self, thread: usize, by: u64) {
        todo!()
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        todo!()
    }

    pub fn total(&self) -> u64 {
        todo!()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(Counters::new, Counters::add, Counters::counter, Counters::total) in "../../../../tests/exercises/answers/ch04/own_line.rs");
