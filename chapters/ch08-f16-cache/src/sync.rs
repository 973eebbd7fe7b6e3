//! Locks, threads and atomics for the pool alone. It takes them all from here, so that a test can
//! substitute a model checker's.

pub use std::sync::atomic::{AtomicUsize, Ordering};
pub use std::sync::{Arc, Condvar, Mutex, MutexGuard};
pub use std::thread::{Builder, JoinHandle, yield_now};

/// How often a thread that waits looks again before it sleeps.
pub const LOOKS: usize = 200;
