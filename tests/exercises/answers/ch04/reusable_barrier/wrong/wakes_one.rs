//? recognised: notify_one
//? why: Calls `notify_one`. With two threads that is enough; with four, two of them sleep on.

use exercise_kit::wake::Condvar;
use std::sync::Mutex;

pub struct Barrier {
    n: usize,
    state: Mutex<(usize, usize)>, // arrived, round
    changed: Condvar,
}

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        Barrier { n, state: Mutex::new((0, 0)), changed: Condvar::new() }
    }

    pub fn wait(&self) {
        let mut state = self.state.lock().unwrap();
        let round = state.1;
        state.0 += 1;
        if state.0 == self.n {
            *state = (0, round + 1);
            self.changed.notify_one();
        }
        while state.1 == round {
            state = self.changed.wait(state).unwrap();
        }
    }
}
