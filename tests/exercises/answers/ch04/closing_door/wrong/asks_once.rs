//? recognised: took that for the sign
//? why: Waits once, without a loop. A thread may wake up while somebody is inside.

use exercise_kit::wake::Condvar;
use std::sync::Mutex;

pub struct Door {
    state: Mutex<State>,
    empty: Condvar,
}

struct State {
    closed: bool,
    inside: usize,
}

impl Door {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Door {
        Door { state: Mutex::new(State { closed: false, inside: 0 }), empty: Condvar::new() }
    }

    pub fn enter(&self) -> bool {
        let mut state = self.state.lock().unwrap();
        if !state.closed {
            state.inside += 1;
        }
        !state.closed
    }

    pub fn leave(&self) {
        let mut state = self.state.lock().unwrap();
        state.inside -= 1;
        if state.inside == 0 {
            self.empty.notify_all();
        }
    }

    pub fn close(&self) {
        let mut state = self.state.lock().unwrap();
        state.closed = true;
        if state.inside > 0 {
            drop(self.empty.wait(state).unwrap());
        }
    }
}
