//! A door that closes, and waits for those inside
//!
//! What the caller of a pool does with a task: a thread may come in as long as the door is open, and the caller closes it and
//! waits for those who are inside.
//!
//! - `new()`: the door is open, and nobody is inside.
//! - `enter()`: true, and one more is inside, if the door is open. False if it is closed, from the moment when `close()` begins to
//!   wait.
//! - `leave()`: one of those inside goes. A closed door lets people out.
//! - `close()`: closes the door for good, and returns when nobody is inside. A thread that waits here sleeps: it does not
//!   turn in a loop.
//!
//! `enter`, `leave` and `close` are called by different threads at the same time, `close` by one of them and once. Use
//! `std::sync::Mutex` and `exercise_kit::wake::Condvar`, which has the methods of std's, and whose `wait` may return for no reason.
//!
//! Level: core, about 30 minutes.
//! Read: "Condition variables: stop looking", in the book at ch04/sleep.html.
//! Run: `cargo run -- watch closing_door`, or once: `cargo test -p ch04-exercises closing_door`.
//! Stuck: `cargo run -- hint closing_door`. Done: `cargo run -- solution closing_door`. Start over: `cargo run -- reset closing_door`.

pub struct Door {
    // The fields are yours to choose.
}

impl Door {
    // Clippy would like a Default beside it.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Door {
        todo!()
    }

    pub fn enter(&self) -> bool {
        todo!()
    }

    pub fn leave(&self) {
        todo!()
    }

    pub fn close(&self) {
        todo!()
    }
}

// The test. It stays here.
exercise_kit::exercise!(check(Door::new, Door::enter, Door::leave, Door::close) in "../../../../tests/exercises/answers/ch04/closing_door.rs");
