//! Threads that wait for work. All that is unsafe about them is in here.
#![allow(unsafe_code)]

use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::abort;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread::{Builder, JoinHandle, yield_now};

use ground::error::Error;

/// The system has no room for another thread.
#[derive(Debug, thiserror::Error)]
#[error("thread {number} of {threads} cannot be started ({reason}): ask for fewer (--threads)")]
pub struct PoolError {
    pub number: usize,
    pub threads: usize,
    pub reason: std::io::Error,
}

impl From<PoolError> for Error {
    fn from(error: PoolError) -> Error {
        Error::chapter(error)
    }
}

/// A task is a function that every thread may call at the same time.
type Task<'a> = &'a (dyn Fn() + Sync);

/// Workers that help the thread that owns them.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
}

struct State {
    task: Option<Task<'static>>, // None: there is nothing to begin
    tasks: usize,                // how many there have been
    inside: usize,               // workers that have begun the task and not left it
    end: bool,
}

impl Pool {
    /// A pool of so many threads, counting the caller of `run`.
    pub fn new(threads: usize) -> Result<Pool, PoolError> {
        let state = State { task: None, tasks: 0, inside: 0, end: false };
        let shared = Arc::new(Shared { state: Mutex::new(state) });
        // If one of them fails from here on, dropping the pool ends those that did start.
        let mut pool = Pool { shared, workers: Vec::new() };
        for number in 2..=threads {
            let shared = Arc::clone(&pool.shared);
            let worker = Builder::new().name(format!("worker {number}"));
            let worker = worker.spawn(move || shared.work());
            pool.workers.push(worker.map_err(|reason| PoolError {
                number,
                threads,
                reason,
            })?);
        }
        Ok(pool)
    }

    pub fn threads(&self) -> usize {
        1 + self.workers.len()
    }

    /// Calls the task here and on every worker that comes before it is done here, and returns when all
    /// have left it. One caller at a time: the task itself doesn't call `run`.
    pub fn run(&self, task: Task) {
        let shared = &*self.shared;
        let mut state = shared.lock();
        state.tasks += 1;
        // SAFETY: only the lifetime changes. A worker takes the task from `state` and counts itself as inside under
        // one lock. Below, it is taken out again, and nobody is inside any more: between here and there nothing can
        // unwind.
        state.task = Some(unsafe { mem::transmute::<Task<'_>, Task<'static>>(task) });
        drop(state);

        call(task);

        // Workers that haven't begun by now needn't.
        shared.lock().task = None;
        while shared.lock().inside > 0 {
            yield_now();
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().end = true;
        for worker in self.workers.drain(..) {
            worker.join().expect("a worker never panics");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("no panic under the lock")
    }

    /// A worker's whole life.
    fn work(&self) {
        let mut seen = 0;
        loop {
            let mut state = self.lock();
            while state.tasks == seen && !state.end {
                drop(state);
                yield_now();
                state = self.lock();
            }
            if state.end {
                return;
            }
            seen = state.tasks;
            let Some(task) = state.task else { continue }; // too late
            state.inside += 1;
            drop(state);

            call(task);

            self.lock().inside -= 1;
        }
    }
}

/// Calls the task. A panic would leave others inside, with what they borrow gone, so for now it ends the program.
fn call(task: Task) {
    catch_unwind(AssertUnwindSafe(task)).unwrap_or_else(|_| abort());
}
