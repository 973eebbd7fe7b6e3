//? recognised: turned back before it looked
//? why: The last thread resets the count and wakes the others. They look at the count, find 0, and sleep for ever.

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
            return;
        }
        while *count < self.n {
            count = self.changed.wait(count).unwrap();
        }
    }
}
