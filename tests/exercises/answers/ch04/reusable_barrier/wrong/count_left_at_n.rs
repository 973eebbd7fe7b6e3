//? recognised: does not begin at 0
//? why: The last thread moves the round on and leaves the count at n. In the next round it goes past n, and nobody is the last.

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
        Barrier { n, state, changed: Condvar::new() }
    }

    pub fn wait(&self) {
        let mut state = self.state.lock().expect("no thread panics while it holds this");
        let round = state.round;
        state.arrived += 1;
        if state.arrived == self.n {
            state.round += 1;
            self.changed.notify_all();
            return;
        }
        while state.round == round {
            state = self.changed.wait(state).expect("no thread panics while it holds this");
        }
    }
}
