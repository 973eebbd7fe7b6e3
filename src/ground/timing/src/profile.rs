//! Where the time of a run goes: one line for each kind of operation.

use std::cell::{Cell, RefCell};
use std::time::{Duration, Instant};

use serde::Serialize;

/// The bytes that an operation reads at least, and the multiplications and additions it does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    pub bytes: usize,
    pub flops: usize,
}

impl Cost {
    /// A product of `rows` rows with a weight of so many numbers, whose bytes have to be read once at least.
    pub fn matmul(rows: usize, numbers: usize, bytes: usize) -> Cost {
        Cost { bytes, flops: 2 * rows * numbers }
    }
}

/// One kind of operation over a whole run.
#[derive(Clone, Debug, Serialize)]
pub struct Operation {
    pub name: &'static str,
    pub calls: usize,
    pub ms: f64,
    pub bytes: usize,
    pub flops: usize,
}

impl Operation {
    pub fn gb_per_second(&self) -> Option<f64> {
        billions(self.bytes, self.ms)
    }

    pub fn gflop_per_second(&self) -> Option<f64> {
        billions(self.flops, self.ms)
    }
}

/// Billions per second; `None` for what was not counted, or too short for the clock.
fn billions(count: usize, ms: f64) -> Option<f64> {
    (count > 0 && ms > 0.0).then(|| count as f64 / ms / 1e6)
}

thread_local! {
    /// `None` unless a profile was asked for: then an operation costs one look at this.
    static PROFILE: RefCell<Option<Vec<Operation>>> = const { RefCell::new(None) };
    /// For how long this thread has waited for others, all together.
    static WAITED: Cell<Duration> = const { Cell::new(Duration::ZERO) };
}

/// From now on, on this thread, operations are timed.
pub fn start() {
    PROFILE.set(Some(Vec::new()));
}

/// Ends the profile and hands it over, the most expensive operation first.
pub fn finish() -> Option<Vec<Operation>> {
    let mut operations = PROFILE.take()?;
    operations.sort_by(|a, b| b.ms.total_cmp(&a.ms));
    Some(operations)
}

/// Does the work, and notes under `name` how long it took.
pub fn timed<T>(name: &'static str, cost: Cost, work: impl FnOnce() -> T) -> T {
    if PROFILE.with_borrow(Option::is_none) {
        return work();
    }
    let (start, waited) = (Instant::now(), WAITED.get());
    let result = work();
    // Waiting is an operation of its own.
    note(name, cost, start.elapsed() - (WAITED.get() - waited));
    result
}

/// This thread was done with its part of some work, and waited for the others.
pub fn waited(time: Duration) {
    WAITED.set(WAITED.get() + time);
    note("waiting for threads", Cost::default(), time);
}

fn note(name: &'static str, cost: Cost, time: Duration) {
    PROFILE.with_borrow_mut(|profile| {
        let Some(operations) = profile else { return };
        let index = operations.iter().position(|operation| operation.name == name);
        let index = index.unwrap_or_else(|| {
            operations.push(Operation { name, calls: 0, ms: 0.0, bytes: 0, flops: 0 });
            operations.len() - 1
        });
        let operation = &mut operations[index];
        operation.calls += 1;
        operation.ms += time.as_secs_f64() * 1e3;
        operation.bytes += cost.bytes;
        operation.flops += cost.flops;
    });
}
