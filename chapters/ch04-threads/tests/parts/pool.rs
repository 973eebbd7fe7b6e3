//! The pool, and the compute context that brings it work: every chunk is done once, nothing hangs, and a panic goes where it
//! belongs.

use std::cell::RefCell;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Barrier, mpsc};
use std::thread;
use std::time::Duration;

use ch04_threads::backend::Backend;
use ch04_threads::compute::ComputeContext;
use ch04_threads::pool::Pool;

/// More threads than most machines have cores, among them numbers that divide nothing.
const THREADS: [usize; 6] = [1, 2, 3, 5, 8, 16];

fn pool(threads: usize) -> Pool {
    Pool::new(threads).expect("a few threads start")
}

fn compute(threads: usize) -> ComputeContext {
    ComputeContext::new(Backend::choose("auto").expect("there is one"), threads)
        .expect("they start")
}

/// Fails instead of hanging: what a lost wake-up looks like.
fn within<T: Send + 'static>(seconds: u64, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(Duration::from_secs(seconds)).expect("it hangs, or it panicked")
}

#[test]
fn every_chunk_is_done_once() {
    for threads in THREADS {
        let compute = compute(threads);
        for chunks in [0, 1, 2, 3, 7, 100, 1000] {
            let done: Vec<AtomicUsize> = (0..chunks).map(|_| AtomicUsize::new(0)).collect();
            compute.par_for(done.iter(), |chunk| {
                chunk.fetch_add(1, Ordering::Relaxed);
            });
            let done: Vec<usize> = done.into_iter().map(AtomicUsize::into_inner).collect();
            assert_eq!(done, vec![1; chunks], "{threads} threads");
        }
    }
}

/// All threads are in one task at the same time: otherwise the barrier would hold them for ever.
#[test]
fn every_thread_helps() {
    for threads in THREADS {
        within(60, move || {
            let (pool, together) = (pool(threads), Arc::new(Barrier::new(threads)));
            for _ in 0..100 {
                pool.run(&|| {
                    together.wait();
                });
            }
        });
    }
}

#[test]
fn ten_thousand_jobs_do_not_hang() {
    for threads in [2, 4, 8] {
        let calls = within(120, move || {
            let (pool, calls) = (pool(threads), AtomicUsize::new(0));
            for task in 0..10_000 {
                pool.run(&|| {
                    calls.fetch_add(1, Ordering::Relaxed);
                });
                if task % 1000 == 0 {
                    thread::sleep(Duration::from_millis(2)); // the workers fall asleep
                }
            }
            calls.into_inner()
        });
        assert!((10_000..=10_000 * threads).contains(&calls), "{calls} calls");
    }
}

#[test]
fn a_panic_reaches_the_caller_and_the_pool_goes_on() {
    within(60, || {
        for threads in THREADS {
            let (compute, chunks) = (compute(threads), threads.max(2));
            let together = Barrier::new(threads);
            for guilty in 0..chunks {
                let result = catch_unwind(AssertUnwindSafe(|| {
                    compute.par_for(0..chunks, |chunk| {
                        if threads > 1 {
                            together.wait(); // each thread has one chunk
                        }
                        assert!(chunk != guilty, "chunk {guilty} goes wrong");
                    })
                }));
                let panic = result.expect_err("one chunk panics");
                let message = panic.downcast_ref::<String>().expect("a text");
                assert!(message.contains(&format!("chunk {guilty} goes wrong")), "{message}");
            }
            let done = AtomicUsize::new(0);
            compute.par_for(0..100, |_| {
                done.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(done.into_inner(), 100, "after {chunks} panics");
        }
    });
}

/// What a task panics with, and what panics again when it is dropped.
struct Twice;

impl Drop for Twice {
    fn drop(&mut self) {
        resume_unwind(Box::new("again")); // a panic without a message on the screen
    }
}

/// What the caller does while two workers panic and a third is in the task.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Caller {
    Waits,
    IsBusy,
    Panics,
}

fn two_workers_panic_twice(caller: Caller) {
    let (pool, this) = (pool(4), thread::current().id());
    let (together, panics) = (Barrier::new(4), AtomicUsize::new(0));
    let inside = Arc::new(AtomicUsize::new(0)); // the task borrows it, and after a fault it is still there
    let result = catch_unwind(AssertUnwindSafe(|| {
        pool.run(&|| {
            inside.fetch_add(1, Ordering::SeqCst);
            together.wait();
            if thread::current().id() == this {
                if caller != Caller::Waits {
                    thread::sleep(Duration::from_millis(50));
                }
                inside.fetch_sub(1, Ordering::SeqCst);
                if caller == Caller::Panics {
                    resume_unwind(Box::new(Twice));
                }
            } else if panics.fetch_add(1, Ordering::SeqCst) < 2 {
                inside.fetch_sub(1, Ordering::SeqCst);
                resume_unwind(Box::new(Twice));
            } else {
                thread::sleep(Duration::from_millis(200));
                inside.fetch_sub(1, Ordering::SeqCst);
            }
        })
    }));
    assert_eq!(inside.load(Ordering::SeqCst), 0, "{caller:?}: run has left a worker inside");
    let panic = result.expect_err("a task panics");
    assert!(panic.is::<Twice>(), "{caller:?}: another panic");
    mem::forget(panic);

    let together = Barrier::new(4);
    for _ in 0..10 {
        pool.run(&|| {
            together.wait(); // every worker is still there
        });
    }
    drop(pool);
}

#[test]
fn panics_that_panic_when_they_are_dropped_leave_nobody_inside() {
    for caller in [Caller::Waits, Caller::IsBusy, Caller::Panics] {
        within(20, move || two_workers_panic_twice(caller));
    }
}

#[test]
fn a_job_inside_a_job_is_done_by_the_thread_that_brought_it() {
    let done = within(20, || {
        let (compute, done, together) = (compute(3), AtomicUsize::new(0), Barrier::new(3));
        compute.par_for(0..3, |_| {
            together.wait(); // so that workers bring tasks, too
            let outer = thread::current().id();
            compute.par_for(0..10, |_| {
                assert_eq!(thread::current().id(), outer);
                done.fetch_add(1, Ordering::Relaxed);
            });
        });
        done.into_inner()
    });
    assert_eq!(done, 30);
}

#[test]
fn two_callers_at_once_both_get_their_work_done() {
    let done = within(60, || {
        let (compute, done) = (compute(3), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    for _ in 0..500 {
                        compute.par_for(0..10, |_| {
                            done.fetch_add(1, Ordering::Relaxed);
                        });
                    }
                });
            }
        });
        done.into_inner()
    });
    assert_eq!(done, 2 * 500 * 10);
}

static ENDED: AtomicUsize = AtomicUsize::new(0);

/// Counts the end of the thread that it belongs to.
struct AtTheEnd;

impl Drop for AtTheEnd {
    fn drop(&mut self) {
        ENDED.fetch_add(1, Ordering::SeqCst);
    }
}

thread_local! {
    static AT_THE_END: RefCell<Option<AtTheEnd>> = const { RefCell::new(None) };
}

#[test]
fn dropping_the_pool_ends_its_threads() {
    let pool = pool(5);
    let (together, caller) = (Barrier::new(5), thread::current().id());
    pool.run(&|| {
        together.wait();
        if thread::current().id() != caller {
            AT_THE_END.set(Some(AtTheEnd));
        }
    });
    drop(pool);
    assert_eq!(ENDED.load(Ordering::SeqCst), 4);
}

/// The processor time that the system has counted for each worker of an idle pool.
#[cfg(target_os = "linux")]
#[test]
fn an_idle_pool_takes_no_time() {
    let pool = pool(4);
    let (together, tasks) = (Barrier::new(4), std::sync::Mutex::new(Vec::new()));
    pool.run(&|| {
        together.wait();
        let task = std::fs::read_link("/proc/thread-self").expect("every thread has one");
        tasks.lock().expect("no panic").push(task);
    });
    let tasks = tasks.into_inner().expect("no panic");
    // Fields 14 and 15, behind a name that is in brackets: in the program and in the system.
    let spent = || -> Vec<(String, String)> {
        let stat =
            |task| std::fs::read_to_string(format!("/proc/{task}/stat")).expect("it lives");
        let all = tasks.iter().map(|task| stat(task.display()));
        let fields = all.map(|stat| stat.rsplit(')').next().expect("a name").to_string());
        let times = fields.map(|fields| {
            let mut fields = fields.split_whitespace().skip(11).map(str::to_string);
            (fields.next().expect("in the program"), fields.next().expect("in the system"))
        });
        times.collect()
    };
    thread::sleep(Duration::from_millis(100));
    let before = spent();
    thread::sleep(Duration::from_secs(1));
    let (after, caller) =
        (spent(), std::fs::read_link("/proc/thread-self").expect("it is one"));
    // Workers that never sleep never end, either: nobody waits for them.
    std::mem::forget(pool);
    for ((task, before), after) in tasks.iter().zip(before).zip(after) {
        assert!(*task == caller || before == after, "{task:?}: {before:?}, then {after:?}");
    }
}
