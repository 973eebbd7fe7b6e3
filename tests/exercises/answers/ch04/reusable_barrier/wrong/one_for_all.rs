//? recognised: a count of its own
//? why: Keeps the count in a static. Threads at two barriers are counted together.

use exercise_kit::wake::Condvar;
use std::sync::Mutex;

pub struct Barrier {
    n: usize,
}

struct State {
    arrived: usize,
    round: usize,
}

static STATE: Mutex<State> = Mutex::new(State { arrived: 0, round: 0 });
static CHANGED: Condvar = Condvar::new();

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        Barrier { n }
    }

    pub fn wait(&self) {
        let mut state = STATE.lock().expect("no thread panics while it holds this");
        let round = state.round;
        state.arrived += 1;
        if state.arrived == self.n {
            state.arrived = 0;
            state.round += 1;
            CHANGED.notify_all();
            return;
        }
        while state.round == round {
            state = CHANGED.wait(state).expect("no thread panics while it holds this");
        }
    }
}
