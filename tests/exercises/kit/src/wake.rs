//! A condition variable for the barrier exercise: std's, with two habits that std allows itself too and seldom shows. It
//! wakes a thread for no reason, and a thread takes its time to fall asleep. So a mistake that would show once in a
//! million rounds shows in the first ones.

use std::cell::Cell;
use std::sync::{Condvar as Std, LockResult, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// The same methods as those of `std::sync::Condvar`.
#[derive(Debug, Default)]
pub struct Condvar(Std);

/// What a thread has asked of condition variables since it last forgot.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Asked {
    pub waits: usize,
    pub notify_one: usize,
    pub notify_all: usize,
}

thread_local! {
    /// How often this thread has forgotten.
    static PERIOD: Cell<usize> = const { Cell::new(0) };
    static ASKED: Cell<Asked> = const { Cell::new(Asked { waits: 0, notify_one: 0, notify_all: 0 }) };
}

/// What this thread has asked since the last call, which is forgotten.
pub fn asked() -> Asked {
    PERIOD.set(PERIOD.get() + 1);
    ASKED.take()
}

impl Condvar {
    pub const fn new() -> Condvar {
        Condvar(Std::new())
    }

    /// Gives the mutex back, sleeps, and takes it again. As with std's: this may return without a notification.
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let asked = ASKED.get();
        ASKED.set(Asked { waits: asked.waits + 1, ..asked });
        // Every second time the first sleep of a thread is short, and ends for no reason.
        if asked.waits == 0 && PERIOD.get().is_multiple_of(2) {
            let short = Duration::from_millis(1);
            let woken = self.0.wait_timeout(guard, short).map(|(guard, _)| guard);
            return woken.map_err(|error| PoisonError::new(error.into_inner().0));
        }
        // The mutex is still locked: who changes what this thread waits for has to wait here, if they lock it too.
        thread::sleep(Duration::from_micros(500));
        self.0.wait(guard)
    }

    /// Sleeps as long as the condition holds.
    pub fn wait_while<'a, T>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'a, T>> {
        while condition(&mut guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    pub fn notify_one(&self) {
        let asked = ASKED.get();
        ASKED.set(Asked { notify_one: asked.notify_one + 1, ..asked });
        self.0.notify_one();
    }

    pub fn notify_all(&self) {
        let asked = ASKED.get();
        ASKED.set(Asked { notify_all: asked.notify_all + 1, ..asked });
        self.0.notify_all();
    }
}
