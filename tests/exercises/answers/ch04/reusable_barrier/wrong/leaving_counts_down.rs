//? recognised: round before was still there
//? why: Every thread takes itself off the count when it leaves. Those who have not looked yet find less than n and sleep again, and a fast one that comes back fills the count of the old round up.

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
        *count -= 1;
    }
}
