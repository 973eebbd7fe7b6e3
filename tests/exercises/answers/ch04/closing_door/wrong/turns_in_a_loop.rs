//? recognised: keeps a CPU busy
//? why: Looks again and again instead of sleeping.

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
        self.state.lock().unwrap().inside -= 1;
        self.empty.notify_all();
    }

    pub fn close(&self) {
        self.state.lock().unwrap().closed = true;
        while self.state.lock().unwrap().inside > 0 {
            std::thread::yield_now();
        }
    }
}
