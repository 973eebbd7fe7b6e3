//! The pool for ThreadSanitizer, which watches every access to memory while the program runs.
//!
//! It must see the code of every lock, and the standard library comes compiled without it. So here the pool is built on
//! locks that Cargo compiles, and this is a program of its own, because the harness of the tests uses the standard
//! library too. On a nightly compiler (or with `RUSTC_BOOTSTRAP=1`):
//!
//! ```sh
//! RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
//!     cargo run --target x86_64-unknown-linux-gnu --target-dir target/sanitized -p ch04-threads --example sanitized
//! ```

#[path = "../src/pool.rs"]
#[allow(dead_code)]
mod pool;

mod sync {
    pub use std::sync::Arc;
    use std::sync::LockResult;
    pub use std::sync::atomic::{AtomicUsize, Ordering};
    pub use std::thread::{Builder, JoinHandle, yield_now};

    pub use parking_lot::MutexGuard;

    pub const LOOKS: usize = 20;

    /// In the dress of the standard library's, which can be poisoned.
    pub struct Mutex<T>(parking_lot::Mutex<T>);

    impl<T> Mutex<T> {
        pub fn new(value: T) -> Mutex<T> {
            Mutex(parking_lot::Mutex::new(value))
        }

        pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
            Ok(self.0.lock())
        }
    }

    pub struct Condvar(parking_lot::Condvar);

    impl Condvar {
        pub fn new() -> Condvar {
            Condvar(parking_lot::Condvar::new())
        }

        pub fn wait<'a, T>(
            &self,
            mut guard: MutexGuard<'a, T>,
        ) -> LockResult<MutexGuard<'a, T>> {
            self.0.wait(&mut guard);
            Ok(guard)
        }

        pub fn notify_one(&self) {
            self.0.notify_one();
        }

        pub fn notify_all(&self) {
            self.0.notify_all();
        }
    }
}

use std::sync::atomic::{AtomicUsize, Ordering};

use pool::Pool;

fn main() {
    for threads in [2, 3, 8] {
        let pool = Pool::new(threads).expect("a few threads start");
        for task in 0..2000 {
            // Each number is written by one thread, without any lock, and read by the caller afterwards.
            let mut written = [usize::MAX; 64];
            let next = AtomicUsize::new(0);
            let numbers = Numbers(written.as_mut_ptr());
            pool.run(&|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= 64 {
                        break;
                    }
                    numbers.write(index, task + index);
                }
            });
            for (index, number) in written.into_iter().enumerate() {
                assert_eq!(number, task + index, "{threads} threads");
            }
            if task % 200 == 0 {
                std::thread::sleep(std::time::Duration::from_millis(1)); // the workers fall asleep
            }
        }
    }
    println!("2,000 tasks on 2, 3 and 8 threads: every number was written");
}

/// Memory that several threads write to, as kernels do.
struct Numbers(*mut usize);

// Each index is handed out once.
#[allow(unsafe_code)]
unsafe impl Sync for Numbers {}

impl Numbers {
    #[allow(unsafe_code)]
    fn write(&self, index: usize, number: usize) {
        // SAFETY: the index is within the array, and no other thread has the same one.
        unsafe { *self.0.add(index) = number }
    }
}
