//! The pool under a model checker: `loom` runs it in every order in which its threads can take turns at
//! locks, wake-ups and atomic numbers.

#[path = "../src/pool.rs"]
#[allow(dead_code)]
mod pool;

/// The parts of the checker, in the place of those of the standard library.
mod sync {
    pub use loom::sync::atomic::{AtomicUsize, Ordering};
    pub use loom::sync::{Arc, Condvar, Mutex, MutexGuard};
    pub use loom::thread::{Builder, JoinHandle, yield_now};

    /// Once is enough to be in every order.
    pub const LOOKS: usize = 1;
}

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use loom::cell::UnsafeCell;
use loom::model::Builder;
use pool::Pool;

/// Runs `model` in every order with at most so many turns taken by force.
fn in_every_order(turns: usize, model: impl Fn() + Sync + Send + 'static) {
    let mut builder = Builder::new();
    builder.preemption_bound = Some(turns);
    builder.check(model);
}

/// Tasks that borrow from their caller, which writes to what they borrowed as soon as they are over: a worker that was
/// still inside would be a race. A wake-up that is lost leaves all threads asleep, and the checker says so.
fn tasks_that_borrow(threads: usize, tasks: usize) {
    let pool = Pool::new(threads).expect("they start");
    for task in 0..tasks {
        let borrowed = Borrowed(UnsafeCell::new(task));
        pool.run(&|| borrowed.read(task));
        borrowed.write(usize::MAX);
    }
}

struct Borrowed(UnsafeCell<usize>);

// The checker notices when two threads meet here.
#[allow(unsafe_code)]
unsafe impl Sync for Borrowed {}

#[allow(unsafe_code)]
impl Borrowed {
    fn read(&self, expected: usize) {
        // SAFETY: the checker's cell stands for memory, and reports every access that is not allowed.
        self.0.with(|number| assert_eq!(unsafe { *number }, expected));
    }

    fn write(&self, new: usize) {
        // SAFETY: as above.
        self.0.with_mut(|number| unsafe { *number = new });
    }
}

#[test]
fn two_threads_and_two_jobs() {
    in_every_order(3, || tasks_that_borrow(2, 2));
}

#[test]
fn three_threads_and_one_job() {
    in_every_order(2, || tasks_that_borrow(3, 1));
}

#[test]
fn a_pool_without_a_job() {
    in_every_order(3, || tasks_that_borrow(2, 0));
}

/// What a task panics with, and what panics again when it is dropped.
struct Twice;

impl Drop for Twice {
    fn drop(&mut self) {
        resume_unwind(Box::new("again"));
    }
}

#[test]
fn two_workers_whose_panics_panic_again() {
    in_every_order(2, || {
        let pool = Pool::new(3).expect("they start");
        let (borrowed, caller) = (Borrowed(UnsafeCell::new(0)), loom::thread::current().id());
        let result = catch_unwind(AssertUnwindSafe(|| {
            pool.run(&|| {
                borrowed.read(0);
                if loom::thread::current().id() != caller {
                    resume_unwind(Box::new(Twice));
                }
            })
        }));
        borrowed.write(usize::MAX);
        // No worker may have come in time.
        if let Err(panic) = result {
            assert!(panic.is::<Twice>(), "another panic");
            mem::forget(panic);
        }
    });
}

/// A worker that sleeps has to be woken: here the task is only over when all have come.
#[test]
fn a_job_that_needs_every_thread() {
    in_every_order(3, || {
        let pool = Pool::new(2).expect("they start");
        for _ in 0..2 {
            let (come, all) = (loom::sync::Mutex::new(0), loom::sync::Condvar::new());
            pool.run(&|| {
                let mut come = come.lock().expect("no panic");
                *come += 1;
                all.notify_all();
                while *come < 2 {
                    come = all.wait(come).expect("no panic");
                }
            });
        }
    });
}
