//? title: Counters for threads, each on a cache line of its own
//? page: ch04/heads.md
//? section: False sharing: two threads on one line
//? level: core
//? minutes: 20
//? call: check(Counters::new, Counters::add, Counters::counter, Counters::total)
//? hint 1: A cache line is 64 bytes, and it begins at an address that is a multiple of 64. How many counters of 8 bytes share a line in a `Vec<AtomicU64>`?
//? hint 2: The distance is half of it: a struct of 64 bytes may still begin in the middle of a line. `#[repr(align(64))]` on a struct makes its address a multiple of 64, and its size too.
//? hint 3: `#[repr(align(64))] struct OwnLine(AtomicU64);` and a `Vec<OwnLine>`: `add` is `self.lines[thread].0.fetch_add(by, Ordering::Relaxed)`, and `total` loads and adds them all.
//? why: The size of a type is always a multiple of its alignment. So `align(64)` gives every counter 64 bytes that begin where a
//?   line begins, and a `Vec` keeps to it. Padding to 64 bytes alone fixes the distance and not the beginning: the first
//?   counter then shares its line with whatever is in memory before it. The attribute has to be on the element: on the whole
//?   struct it moves the `Vec`'s pointer, and not the counters.

// Each of `n` threads counts what it has done. Two CPUs that write to the same *cache line*, which is 64 bytes, take it from each
// other again and again, even when they write to different bytes of it. So every counter gets a line of its own.
//
// - `new(threads)`: a counter for each thread, all 0. There may be any number of threads.
// - `add(thread, by)`: adds to the counter of this thread, and writes to no other line. `thread` is less than `threads`.
// - `counter(thread)`: the counter itself. Its address is a multiple of 64, and no other counter is on its line.
// - `total()`: the sum of all counters as they are now.
//
// Only the thread itself adds to its counter, but any thread may ask for the total at any time. The check looks at addresses,
// and at the bytes of the struct and of all lines. What is elsewhere it cannot see: that none of it is shared is on you.

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

//-- check
pub mod check {
    use exercise_kit::memory;
    use exercise_kit::{Checked, Failure, call, same};
    use std::sync::atomic::{AtomicU64, Ordering};

    const LINE: usize = 64;

    pub fn check<C: Sync>(
        new: fn(usize) -> C,
        add: fn(&C, usize, u64),
        counter: for<'a> fn(&'a C, usize) -> &'a AtomicU64,
        total: fn(&C) -> u64,
    ) -> Checked {
        // Of several sizes, and all alive at once: so they lie at addresses of every kind.
        let mut all = Vec::new();
        for threads in [4, 3, 2, 1, 5, 7, 9, 16, 33, 1000] {
            let case = format!("addresses of new({threads})");
            // It may keep its numbers in itself: so it is moved no more.
            let counters = Box::new(call(&case, || new(threads))?);
            let address =
                |thread| call(&case, || std::ptr::from_ref(counter(&counters, thread)).addr());
            let addresses: Vec<usize> = (0..threads).map(address).collect::<Result<_, _>>()?;
            lines(&case, &addresses)?;
            all.push(counters);
        }
        let case = "new(0), then total()";
        let none = call(case, || total(&new(0)))?;
        if none != 0 {
            return Err(Failure::new(case, 0, none));
        }
        let counters = call("new(3)", || new(3))?;
        sums(&counters, add, counter, total)?;
        writes(&call("new(3)", || new(3))?, add, counter)
    }

    fn lines(case: &str, addresses: &[usize]) -> Checked {
        let expected = "every counter begins a line of 64 bytes and is alone on it";
        for (thread, &address) in addresses.iter().enumerate() {
            let failure = |found: String, reason| {
                Err(Failure::new(case, expected, found)
                    .at(format!("thread {thread}"))
                    .likely(reason))
            };
            if let Some(other) = addresses[..thread].iter().position(|&other| other == address)
            {
                return failure(
                    format!("the counter of thread {other} is the same one"),
                    "two threads have their counter at the same address",
                );
            }
            let on_line = |&other: &usize| other / LINE == address / LINE;
            if let Some(other) = addresses[..thread].iter().position(on_line) {
                let distance = address.abs_diff(addresses[other]);
                return failure(
                    format!("the counter of thread {other} is {distance} bytes away"),
                    "two counters share a line: look at their distance",
                );
            }
        }
        let middle = addresses.iter().position(|address| address % LINE != 0);
        middle.map_or(Ok(()), |thread| {
        let found = format!("one begins {} bytes after such a place", addresses[thread] % LINE);
        Err(Failure::new(case, expected, found).at(format!("thread {thread}")).likely(
            "a counter begins in the middle of a line, with other data before it: the distance is right, \
             and the beginning is not",
        ))
    })
    }

    fn sums<C>(
        counters: &C,
        add: fn(&C, usize, u64),
        counter: for<'a> fn(&'a C, usize) -> &'a AtomicU64,
        total: fn(&C) -> u64,
    ) -> Checked {
        let mut expected = [0u64; 3];
        for (thread, by) in [(0, 5), (2, 7), (0, 30), (1, 1 << 40), (2, 0)] {
            let case = format!("add({thread}, {by}) to counters that hold {expected:?}");
            expected[thread] += by;
            call(&case, || add(counters, thread, by))?;
            for (other, &wanted) in expected.iter().enumerate() {
                let found = call(&case, || counter(counters, other).load(Ordering::Relaxed))?;
                if found == wanted {
                    continue;
                }
                let failure = Failure::new(&case, wanted, found).at(format!("counter {other}"));
                let cut = by > u64::from(u32::MAX);
                return Err(if cut {
                    failure.likely("the number was cut to 32 bits")
                } else {
                    failure
                });
            }
            let case = format!("{case}, then total()");
            same(&case, &expected.iter().sum(), &call(&case, || total(counters))?, &[])?;
        }
        let case = "a counter is set to 9 from outside, then total()";
        call(case, || counter(counters, 1).store(9, Ordering::Relaxed))?;
        let (wanted, found) = (expected[0] + 9 + expected[2], call(case, || total(counters))?);
        if found != wanted {
            return Err(Failure::new(case, wanted, found).likely(
            "the total is kept apart: then every add() writes to one line that all threads share",
        ));
        }
        Ok(())
    }

    /// The bytes of the struct itself and of the other counters' lines: `add` leaves them alone.
    fn writes<C>(
        counters: &C,
        add: fn(&C, usize, u64),
        counter: for<'a> fn(&'a C, usize) -> &'a AtomicU64,
    ) -> Checked {
        for thread in 0..3 {
            let case = format!("add({thread}, 5) to the counters of new(3)");
            let mut lines = Vec::new();
            for other in (0..3).filter(|other| *other != thread) {
                lines.push(call(&case, || {
                    std::ptr::from_ref(counter(counters, other)).cast::<u8>()
                })?);
            }
            let look = || {
                let lines =
                    lines.iter().map(|line| memory::bytes(*line, LINE)).collect::<Vec<_>>();
                (lines, memory::bytes(std::ptr::from_ref(counters).cast(), size_of::<C>()))
            };
            let before = look();
            call(&case, || add(counters, thread, 5))?;
            if look() != before {
                let expected = "it writes to the line of its counter and nowhere else";
                return Err(Failure::new(&case, expected, "other bytes have changed too").likely(
                    "another line is written as well: the threads take that one from each other",
                ));
            }
        }
        Ok(())
    }
}
