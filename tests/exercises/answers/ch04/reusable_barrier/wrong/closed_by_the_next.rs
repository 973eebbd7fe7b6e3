//? recognised: turned back before it looked
//? why: A door that the last thread opens and the first thread of the next round closes. A slow sleeper finds it closed again.

use exercise_kit::wake::Condvar;
use std::sync::Mutex;

pub struct Barrier {
    n: usize,
    state: Mutex<(usize, bool)>, // arrived, open
    changed: Condvar,
}

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        Barrier { n, state: Mutex::new((0, false)), changed: Condvar::new() }
    }

    pub fn wait(&self) {
        let mut state = self.state.lock().unwrap();
        if state.0 == 0 {
            state.1 = false;
        }
        state.0 += 1;
        if state.0 == self.n {
            *state = (0, true);
            self.changed.notify_all();
        }
        while !state.1 {
            state = self.changed.wait(state).unwrap();
        }
    }
}
