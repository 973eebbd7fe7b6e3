//? recognised: several threads
//? why: Knows only whether somebody is inside, and not how many. The first to leave opens the way for `close`.

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
        self.state.lock().unwrap().inside = 0;
        self.empty.notify_all();
    }

    pub fn close(&self) {
        let mut state = self.state.lock().unwrap();
        state.closed = true;
        while state.inside > 0 {
            state = self.empty.wait(state).unwrap();
        }
    }
}
