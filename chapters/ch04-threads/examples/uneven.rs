//! Two threads share work, and the core of one of them serves another program half of the time: in how many pieces
//! should the work be cut?
//!
//! `cargo run --release -p ch04-threads --example uneven`

use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use ch04_threads::backend::Backend;
use ch04_threads::compute::ComputeContext;

fn main() {
    let threads = thread::available_parallelism().map_or(2, |cores| cores.get());
    let backend = Backend::choose("auto").expect("there is one");
    let compute = ComputeContext::new(backend, threads).expect("the threads start");
    println!("{threads} threads, milliseconds for the same work, the median of 51 times");
    println!("{:>18} {:>8} {:>26}", "pieces a thread", "quiet", "beside another program");
    for pieces in [1, 2, 4, 16] {
        let quiet = median(&compute, threads * pieces);
        let over = AtomicBool::new(false);
        let beside = thread::scope(|scope| {
            scope.spawn(|| {
                // Works for ten milliseconds, sleeps for ten.
                while !over.load(Ordering::Relaxed) {
                    let start = Instant::now();
                    while start.elapsed() < Duration::from_millis(10) {
                        black_box(work(1000));
                    }
                    thread::sleep(Duration::from_millis(10));
                }
            });
            let beside = median(&compute, threads * pieces);
            over.store(true, Ordering::Relaxed);
            beside
        });
        println!("{pieces:>18} {:>8.2} {:>26.2}", quiet, beside);
    }
}

/// Milliseconds for the same work in so many pieces.
fn median(compute: &ComputeContext, pieces: usize) -> f64 {
    const ALL: usize = 64 << 20;
    let mut tries: Vec<f64> = (0..51)
        .map(|_| {
            let start = Instant::now();
            compute.par_for((0..pieces).map(|_| ALL / pieces), |steps| {
                black_box(work(steps));
            });
            start.elapsed().as_secs_f64() * 1e3
        })
        .collect();
    tries.sort_by(f64::total_cmp);
    tries[tries.len() / 2]
}

/// A chain of multiplications: it takes as long as it takes.
fn work(steps: usize) -> u64 {
    (0..steps as u64).fold(1, |product, step| black_box(product.wrapping_mul(step | 1)))
}
