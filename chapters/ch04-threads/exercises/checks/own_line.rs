use exercise_kit::memory;
use exercise_kit::{Checked, Failure, call};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const LINE: usize = 64;

pub fn check<C: Sync>(
    new: impl Fn(usize) -> C,
    add: impl Fn(&C, usize, u64) + Sync,
    counter: impl for<'a> Fn(&'a C, usize) -> &'a AtomicU64,
    total: impl Fn(&C) -> u64,
) -> Checked {
    // Of several sizes, and all alive at once: so they lie at addresses of every kind.
    let mut all = Vec::new();
    let mut before: Vec<usize> = Vec::new();
    for threads in [4, 3, 2, 1, 5, 7, 9, 16, 33, 200] {
        let case = format!("addresses of new({threads})");
        // It may keep its numbers in itself: so it is moved no more.
        let counters = Box::new(call(&case, || new(threads))?);
        let address =
            |thread| call(&case, || std::ptr::from_ref(counter(&counters, thread)).addr());
        let addresses: Vec<usize> = (0..threads).map(address).collect::<Result<_, _>>()?;
        lines(&case, &addresses)?;
        if addresses.iter().any(|address| before.contains(address)) {
            let found = "a counter of other counters, which are still in use";
            return Err(Failure::new(&case, "counters of its own", found)
                .likely("all Counters share the same memory"));
        }
        before.extend(addresses);
        all.push(counters);
    }
    let case = "new(0), then total()";
    let none = call(case, || total(&new(0)))?;
    if none != 0 {
        return Err(Failure::new(case, 0, none));
    }
    let counters = call("new(3)", || new(3))?;
    sums(&counters, &add, &counter, &total)?;
    writes(&new, &add, &counter)?;
    at_once(&new, &add, &total)
}

fn lines(case: &str, addresses: &[usize]) -> Checked {
    let expected = "every counter begins a line of 64 bytes and is alone on it";
    for (thread, &address) in addresses.iter().enumerate() {
        let failure = |found: String, reason| {
            Err(Failure::new(case, expected, found)
                .at(format!("thread {thread}"))
                .likely(reason))
        };
        if let Some(other) = addresses[..thread].iter().position(|&other| other == address) {
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
    add: &impl Fn(&C, usize, u64),
    counter: &impl for<'a> Fn(&'a C, usize) -> &'a AtomicU64,
    total: &impl Fn(&C) -> u64,
) -> Checked {
    let mut expected = [0u64; 3];
    for (thread, by) in [(0, 5), (2, 7), (0, 30), (1, 1 << 40), (2, 0)] {
        let case = format!("add({thread}, {by}) to counters that hold {expected:?}");
        let before = expected[thread];
        expected[thread] += by;
        call(&case, || add(counters, thread, by))?;
        for (other, &wanted) in expected.iter().enumerate() {
            let found = call(&case, || counter(counters, other).load(Ordering::Relaxed))?;
            if found == wanted {
                continue;
            }
            let failure = Failure::new(&case, wanted, found).at(format!("counter {other}"));
            return Err(if found == before + u64::from(by as u32) {
                failure.likely("the number was cut to 32 bits")
            } else if found == before + 1 {
                failure.likely("this counts how often it is called; `by` is to be added")
            } else if found == by {
                failure.likely("a store replaces what was there: add to it")
            } else {
                failure
            });
        }
        let sum: u64 = expected.iter().sum();
        for again in ["", ", asked twice"] {
            let case = format!("{case}, then total(){again}");
            let found = call(&case, || total(counters))?;
            if found == sum {
                continue;
            }
            let failure = Failure::new(&case, sum, found);
            return Err(if !again.is_empty() {
                failure.likely(
                    "asked twice, the total must not change: it reads and writes nothing",
                )
            } else if expected.iter().any(|one| *one > 0 && sum - one == found) {
                failure.likely("a counter is left out: threads are counted from 0")
            } else {
                failure
            });
        }
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
    new: &impl Fn(usize) -> C,
    add: &impl Fn(&C, usize, u64),
    counter: &impl for<'a> Fn(&'a C, usize) -> &'a AtomicU64,
) -> Checked {
    let counters = Box::new(call("new(3)", || new(3))?);
    for thread in 0..3 {
        let case = format!("add({thread}, 5) to the counters of new(3)");
        let mut lines = Vec::new();
        for other in (0..3).filter(|other| *other != thread) {
            lines.push(call(&case, || {
                std::ptr::from_ref(counter(&counters, other)).cast::<u8>()
            })?);
        }
        let look = || {
            let lines = lines.iter().map(|line| memory::bytes(*line, LINE)).collect::<Vec<_>>();
            (lines, memory::bytes(std::ptr::from_ref(&*counters).cast(), size_of::<C>()))
        };
        let before = look();
        call(&case, || add(&counters, thread, 5))?;
        if look() != before {
            let expected = "it writes to the line of its counter and nowhere else";
            return Err(Failure::new(&case, expected, "other bytes have changed too").likely(
                "another line is written as well: the threads take that one from each other",
            ));
        }
    }
    Ok(())
}

/// Several threads add, each to its own counter, while another one asks for the total.
fn at_once<C: Sync>(
    new: &impl Fn(usize) -> C,
    add: &(impl Fn(&C, usize, u64) + Sync),
    total: &impl Fn(&C) -> u64,
) -> Checked {
    const TIMES: u64 = 20_000;
    let case = "4 threads add 3 to their counters, 20000 times each";
    let counters = call(case, || new(4))?;
    thread::scope(|scope| {
        let counters = &counters;
        let work = |thread| {
            move || (0..TIMES).try_for_each(|_| call(case, || add(counters, thread, 3)))
        };
        let workers: Vec<_> = (0..4).map(|thread| scope.spawn(work(thread))).collect();
        let mut before = 0;
        while workers.iter().any(|worker| !worker.is_finished()) {
            let now = call(case, || total(counters))?;
            if now < before {
                let expected = format!("a total of {before} or more, as it was a moment ago");
                return Err(Failure::new(case, expected, now));
            }
            before = now;
        }
        let ended = workers.into_iter().map(|worker| worker.join().unwrap_or(Ok(())));
        ended.collect::<Checked>()
    })?;
    let (wanted, found) = (4 * 3 * TIMES, call(case, || total(&counters))?);
    match found == wanted {
        true => Ok(()),
        false => Err(Failure::new(case, wanted, found)
            .likely("additions of different threads disturb each other")),
    }
}
