//? recognised: turned back before it looked
//? why: Never resets the count and waits until it is a multiple of n. A fast thread that comes back adds one, and the slow ones sleep again.

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
        if *count % self.n == 0 {
            self.changed.notify_all();
            return;
        }
        while *count % self.n != 0 {
            count = self.changed.wait(count).unwrap();
        }
    }
}
