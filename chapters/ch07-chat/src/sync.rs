//! What the pool is made of, and nothing else uses. It takes all of it from here, so that a test can put
//! the parts of a model checker in its place.

pub use std::sync::atomic::{AtomicUsize, Ordering};
pub use std::sync::{Arc, Condvar, Mutex, MutexGuard};
pub use std::thread::{Builder, JoinHandle, yield_now};

/// How often a thread that waits looks again before it sleeps.
pub const LOOKS: usize = 200;
