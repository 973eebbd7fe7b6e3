//? recognised: nobody has told
//? why: Changes the number of the round and wakes nobody. A sleeper does not see that something has changed until it is woken.

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
        }
        while state.1 == round {
            state = self.changed.wait(state).unwrap();
        }
    }
}
