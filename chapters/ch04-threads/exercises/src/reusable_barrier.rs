//! A barrier that may be used again and again
//!
//! A barrier for `n` threads: `wait()` returns when all `n` have called it, and then the barrier can be used again at
//! once, for any number of rounds. A fast thread may call `wait()` for the next round while slow ones still wake up.
//!
//! - `new(n)`: `n` is at least 1, and may be some hundreds. There may be several barriers at a time.
//! - `wait()`: blocks until `n` threads, the caller among them, have called it in this round. A thread that waits
//!   sleeps: it does not turn in a loop.
//!
//! Use `std::sync::Mutex` and `exercise_kit::wake::Condvar`. This Condvar has the methods of std's, and it shows in every
//! round what std's shows seldom: a thread may wake up for no reason, and it needs a moment to fall asleep.
//! The check runs many rounds with many threads, and says so if one of them waits for ever.
//!
//! Level: deep, about 40 minutes.
//! Read: "Fork-join", in the book at ch04/pool.html.
//! Run: `cargo run -- watch reusable_barrier`, or once: `cargo test -p ch04-exercises reusable_barrier`.
//! Stuck: `cargo run -- hint reusable_barrier`. Done: `cargo run -- solution reusable_barrier`. Start over: `cargo run -- reset reusable_barrier`.

pub struct Barrier {
    // The fields are yours to choose.
}

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        todo!()
    }

    pub fn wait(&self) {
        todo!()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(Barrier::new, Barrier::wait) in "../../../../tests/exercises/answers/ch04/reusable_barrier.rs");
