//? recognised: turned back before it looked
//? why: Sleepers wait until the count is 0 again. A fast thread comes back for the next round and makes it 1 before a slow one has looked.

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
        while *count != 0 {
            count = self.changed.wait(count).unwrap();
        }
    }
}
