//? recognised: for no reason
//? why: Looks at the round once and not in a loop. A condition variable may wake a thread for no reason, and then the thread passes although others are missing.

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
            self.changed.notify_all();
        } else if state.1 == round {
            drop(self.changed.wait(state).unwrap());
        }
    }
}
