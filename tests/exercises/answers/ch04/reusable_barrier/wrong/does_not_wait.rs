//? recognised: all n
//? why: Counts and wakes, but no thread ever sleeps: everybody passes at once.

use exercise_kit::wake::Condvar;
use std::sync::Mutex;

pub struct Barrier {
    n: usize,
    count: Mutex<usize>,
    changed: Condvar,
}

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        Barrier { n, count: Mutex::new(0), changed: Condvar::new() }
    }

    pub fn wait(&self) {
        let mut count = self.count.lock().unwrap();
        *count += 1;
        if *count == self.n {
            *count = 0;
            self.changed.notify_all();
        }
    }
}
