//? recognised: all n
//? why: Keeps the number of threads in a byte. With 257 threads the first one passes alone.

use exercise_kit::wake::Condvar;
use std::sync::Mutex;

pub struct Barrier {
    n: usize,
    state: Mutex<State>,
    changed: Condvar,
}

struct State {
    /// Threads that have come in this round.
    arrived: usize,
    /// How many rounds are over.
    round: usize,
}

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        let state = Mutex::new(State { arrived: 0, round: 0 });
        Barrier { n: usize::from(n as u8), state, changed: Condvar::new() }
    }

    pub fn wait(&self) {
        let mut state = self.state.lock().expect("no thread panics while it holds this");
        let round = state.round;
        state.arrived += 1;
        if state.arrived == self.n {
            state.arrived = 0;
            state.round += 1;
            self.changed.notify_all();
            return;
        }
        while state.round == round {
            state = self.changed.wait(state).expect("no thread panics while it holds this");
        }
    }
}
