//? title: Counters for threads, each on a cache line of its own
//? page: ch04/heads.md
//? section: False sharing: two threads on one line
//? level: core
//? minutes: 20
//? call: check(answer::Counters::new, answer::Counters::add, answer::Counters::counter, answer::Counters::total)
//? hint 1: A cache line is 64 bytes, and it begins at an address that is a multiple of 64. How many counters of 8 bytes share a line in a `Vec<AtomicU64>`?
//? hint 2: The distance is half of it: a struct of 64 bytes may still begin in the middle of a line. `#[repr(align(64))]` on a struct makes its address a multiple of 64, and its size too.
//? hint 3: `#[repr(align(64))] struct OwnLine(AtomicU64);` and a `Vec<OwnLine>`: `add` is `self.lines[thread].0.fetch_add(by, Ordering::Relaxed)`, and `total` loads and adds them all.
//? why: The size of a type is always a multiple of its alignment. So `align(64)` gives every counter 64 bytes that begin where a
//?   line begins, and a `Vec` keeps to it. Padding to 64 bytes alone fixes the distance and not the beginning: the first
//?   counter then shares its line with whatever is in memory before it. The attribute has to be on the element: on the whole
//?   struct it moves the `Vec`'s pointer, and not the counters.

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

use std::sync::atomic::AtomicU64;
//-- solution
use std::sync::atomic::Ordering;
//-- end

pub struct Counters {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    lines: Vec<OwnLine>,
    //-- end
}
//-- solution

#[derive(Default)]
#[repr(align(64))]
struct OwnLine(AtomicU64);
//-- end

impl Counters {
    pub fn new(threads: usize) -> Counters {
        //-- starter
        // todo!()
        //-- solution
        Counters { lines: (0..threads).map(|_| OwnLine::default()).collect() }
        //-- end
    }

    pub fn add(&self, thread: usize, by: u64) {
        //-- starter
        // todo!()
        //-- solution
        self.lines[thread].0.fetch_add(by, Ordering::Relaxed);
        //-- end
    }

    pub fn counter(&self, thread: usize) -> &AtomicU64 {
        //-- starter
        // todo!()
        //-- solution
        &self.lines[thread].0
        //-- end
    }

    pub fn total(&self) -> u64 {
        //-- starter
        // todo!()
        //-- solution
        self.lines.iter().map(|line| line.0.load(Ordering::Relaxed)).sum()
        //-- end
    }
}
