//? recognised: there is nothing to wait for
//? why: Sleeps before it looks. If nobody is inside, nobody wakes it.

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
        loop {
            state = self.empty.wait(state).unwrap();
            if state.inside == 0 {
                return;
            }
        }
    }
}
