//! Threads count, each for itself: with counters side by side, and with each on a cache line of its own.
//!
//! `cargo run --release -p ch04-threads --example one_line`

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

const STEPS: u64 = 20_000_000;

/// A counter that has 64 bytes for itself.
#[repr(align(64))]
struct Alone(AtomicU64);

fn main() {
    let threads = thread::available_parallelism().map_or(2, |cores| cores.get());
    let together: Vec<AtomicU64> = (0..threads).map(|_| AtomicU64::new(0)).collect();
    let alone: Vec<Alone> = (0..threads).map(|_| Alone(AtomicU64::new(0))).collect();
    println!("{threads} threads, nanoseconds a step, the best of 5 times {STEPS} steps");
    println!("{:>24} {:>6.2}", "side by side", best(together.iter().collect()));
    println!(
        "{:>24} {:>6.2}",
        "each on its own line",
        best(alone.iter().map(|a| &a.0).collect())
    );
}

fn best(counters: Vec<&AtomicU64>) -> f64 {
    let once = || {
        let start = Instant::now();
        thread::scope(|scope| {
            for counter in &counters {
                scope.spawn(|| {
                    for _ in 0..STEPS {
                        // No other thread writes to this counter: a load and a store will do.
                        counter.store(counter.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
                    }
                });
            }
        });
        start.elapsed().as_secs_f64() * 1e9 / STEPS as f64
    };
    (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
}
