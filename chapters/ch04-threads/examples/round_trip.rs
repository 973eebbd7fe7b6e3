//! What it costs to call other threads and to wait for them: threads that start anew, rayon, and the pool.
//!
//! `cargo run --release -p ch04-threads --example round_trip`

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ch04_threads::pool::Pool;
use ground::machine::usable_cores;

const JOBS: u32 = 1000;

fn main() {
    let threads = usable_cores().max(2);
    let pool = Pool::new(threads).expect("the threads start");
    let rayon = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let rayon = rayon.expect("the threads start");
    let started_anew = |task: &(dyn Fn() + Sync)| {
        thread::scope(|scope| {
            for _ in 1..threads {
                scope.spawn(task);
            }
            task();
        });
    };
    let by_rayon = |task: &(dyn Fn() + Sync)| {
        rayon.broadcast(|_| task());
    };
    let by_pool = |task: &(dyn Fn() + Sync)| {
        pool.run(task);
    };
    println!("{threads} threads, nanoseconds a job, the median of 21 times {JOBS} jobs");
    println!("{:>20} {:>12} {:>22}", "", "empty job", "all threads take part");
    tell("std::thread::scope", threads, &started_anew);
    tell("rayon", threads, &by_rayon);
    tell("the pool", threads, &by_pool);
}

type Way<'a> = &'a dyn Fn(&(dyn Fn() + Sync));

fn tell(name: &str, threads: usize, way: Way) {
    let empty = median(|| way(&|| {}));
    // Over only when every thread has come: a thread that found its work already done would not count.
    let come = AtomicUsize::new(0);
    let together = median(|| {
        come.store(0, Ordering::Relaxed);
        way(&|| {
            come.fetch_add(1, Ordering::Relaxed);
            while come.load(Ordering::Relaxed) < threads {
                std::hint::spin_loop();
            }
        });
    });
    println!("{name:>20} {:>12} {:>22}", empty.as_nanos(), together.as_nanos());
}

/// The time of one job: the median of many tries.
fn median(task: impl Fn()) -> Duration {
    let mut tries: Vec<Duration> = (0..21)
        .map(|_| {
            let start = Instant::now();
            (0..JOBS).for_each(|_| task());
            start.elapsed() / JOBS
        })
        .collect();
    tries.sort();
    tries[tries.len() / 2]
}
