//? recognised: round before was still there
//? why: Counts up to n and leaves the count there. The first round is right; in the second one every thread finds the count full and passes at once.

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
            self.changed.notify_all();
        }
        while *count < self.n {
            count = self.changed.wait(count).unwrap();
        }
    }
}
