//? recognised: under the mutex
//? why: Counts with atomics and takes the mutex only to sleep. The round can end between the look of a thread and its sleep: the notification comes too early for it.

use exercise_kit::wake::Condvar;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

pub struct Barrier {
    n: usize,
    arrived: AtomicUsize,
    round: AtomicUsize,
    sleeping: Mutex<()>,
    changed: Condvar,
}

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        Barrier {
            n,
            arrived: AtomicUsize::new(0),
            round: AtomicUsize::new(0),
            sleeping: Mutex::new(()),
            changed: Condvar::new(),
        }
    }

    pub fn wait(&self) {
        let round = self.round.load(Ordering::SeqCst);
        if self.arrived.fetch_add(1, Ordering::SeqCst) + 1 == self.n {
            self.arrived.store(0, Ordering::SeqCst);
            self.round.store(round + 1, Ordering::SeqCst);
            self.changed.notify_all();
            return;
        }
        let mut guard = self.sleeping.lock().unwrap();
        while self.round.load(Ordering::SeqCst) == round {
            guard = self.changed.wait(guard).unwrap();
        }
    }
}
