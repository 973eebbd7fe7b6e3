//! Threads that wait for work. All that is unsafe about them is in here.
#![allow(unsafe_code)]

use std::any::Any;
use std::hint::black_box;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{LockResult, PoisonError};

use ground::error::Error;

use crate::sync::{
    Arc, AtomicUsize, Builder, Condvar, JoinHandle, LOOKS, Mutex, MutexGuard, Ordering,
    yield_now,
};

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

/// The payload of a task's panic.
type Payload = Box<dyn Any + Send>;

/// Workers that help the thread that owns them.
pub struct Pool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

struct Shared {
    state: Mutex<State>,
    /// The same as in `state`, to be read without taking the lock.
    tasks: AtomicUsize,
    inside: AtomicUsize,
    /// Wakes workers that sleep: there's a task, or the pool is being dropped.
    work: Condvar,
    /// Wakes the caller when the last worker has left the task.
    done: Condvar,
}

struct State {
    task: Option<Task<'static>>, // None: there is nothing to begin
    tasks: usize,                // how many there have been
    inside: usize,               // workers that have begun the task and not left it
    asleep: usize,
    busy: bool, // some thread is in `run`
    end: bool,
    panic: Option<Payload>, // the first of a worker
}

impl Pool {
    /// A pool of so many threads, counting the caller of `run`.
    pub fn new(threads: usize) -> Result<Pool, PoolError> {
        let state = State {
            task: None,
            tasks: 0,
            inside: 0,
            asleep: 0,
            busy: false,
            end: false,
            panic: None,
        };
        let shared = Arc::new(Shared {
            state: Mutex::new(state),
            tasks: AtomicUsize::new(0),
            inside: AtomicUsize::new(0),
            work: Condvar::new(),
            done: Condvar::new(),
        });
        // If one of them fails from here on, dropping the pool ends those that did start.
        let mut pool = Pool { shared, workers: Vec::new() };
        for number in 2..=threads {
            let shared = Arc::clone(&pool.shared);
            let worker = Builder::new().name(format!("worker {number}"));
            let worker = has_memory().and_then(|()| worker.spawn(move || shared.work()));
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
    /// have left it. A panic in any of them goes on here.
    pub fn run(&self, task: Task) {
        let shared = &*self.shared;
        let mut state = shared.lock();
        if self.workers.is_empty() || state.busy {
            // Without workers, or inside another task, this thread works alone.
            drop(state);
            return task();
        }
        state.busy = true;
        state.tasks += 1;
        // SAFETY: only the lifetime changes. A worker takes the task from `state` and counts itself as inside under
        // one lock. Below, whatever happens in the task, it is taken out again, and nobody is inside any more: between
        // here and there nothing can unwind.
        state.task = Some(unsafe { mem::transmute::<Task<'_>, Task<'static>>(task) });
        shared.tasks.store(state.tasks, Ordering::Relaxed);
        if state.asleep > 0 {
            shared.work.notify_all();
        }
        drop(state);

        let mine = catch_unwind(AssertUnwindSafe(task));

        // Workers that haven't begun by now needn't.
        shared.lock().task = None;
        look_while(|| shared.inside.load(Ordering::Relaxed) > 0);
        let mut state = shared.lock();
        while state.inside > 0 {
            state = locked(shared.done.wait(state));
        }
        state.busy = false;
        let theirs = state.panic.take();
        drop(state);
        // Of several panics, one is passed on.
        if let Err(panic) = mine {
            discard(theirs);
            resume_unwind(panic);
        }
        if let Some(panic) = theirs {
            resume_unwind(panic);
        }
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().end = true;
        self.shared.work.notify_all();
        for worker in self.workers.drain(..) {
            worker.join().expect("a worker passes on every panic of a task");
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        locked(self.state.lock())
    }

    /// A worker's whole life.
    fn work(&self) {
        let mut seen = 0;
        loop {
            look_while(|| self.tasks.load(Ordering::Relaxed) == seen);
            let mut state = self.lock();
            while state.tasks == seen && !state.end {
                state.asleep += 1;
                state = locked(self.work.wait(state));
                state.asleep -= 1;
            }
            if state.end {
                return;
            }
            seen = state.tasks;
            let Some(task) = state.task else { continue }; // too late
            state.inside += 1;
            self.inside.store(state.inside, Ordering::Relaxed);
            drop(state);

            let mut panic = catch_unwind(AssertUnwindSafe(task)).err();

            let mut state = self.lock();
            state.inside -= 1;
            self.inside.store(state.inside, Ordering::Relaxed);
            if state.inside == 0 {
                self.done.notify_one();
            }
            if state.panic.is_none() {
                state.panic = panic.take();
            }
            drop(state);
            discard(panic);
        }
    }
}

/// The state that a lock guards, even if a thread has panicked with the lock. No thread does: under the lock numbers
/// change, and nothing of a task is called or dropped.
fn locked<T>(result: LockResult<T>) -> T {
    result.unwrap_or_else(PoisonError::into_inner)
}

/// Drops a payload that isn't passed on. Dropping it may panic again; that second payload is leaked.
fn discard(panic: Option<Payload>) {
    if let Err(second) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        mem::forget(second);
    }
}

/// How much memory must be free before a thread starts: room for its stack, and some to spare, because a program that
/// can't allocate even a line of text is aborted.
const SPARE: usize = 40 << 20;

fn has_memory() -> std::io::Result<()> {
    let mut spare = Vec::<u8>::new();
    spare.try_reserve_exact(SPARE)?;
    black_box(spare); // or the compiler would leave it out
    Ok(())
}

/// Spins for a while, and lets others have the core in between.
fn look_while(goes_on: impl Fn() -> bool) {
    for _ in 0..LOOKS {
        if !goes_on() {
            return;
        }
        yield_now();
    }
}
