//? title: A barrier that may be used again and again
//? page: ch04/pool.md
//? section: Fork-join
//? level: deep
//? minutes: 40
//? call: check(answer::Barrier::new, answer::Barrier::wait)
//? hint 1: Write the barrier for one round first: a count under a mutex; the last thread wakes the others. Then let one thread run ahead into the second round while the others are still waking up. What do they find in the count?
//? hint 2: A sleeper must look at something that the next round cannot turn back. Keep two numbers under the mutex: how many have come, and the number of the round. The last to come resets the first and adds one to the second.
//? hint 3: Note the round when you come: `let round = state.round;`. The last one does `state.arrived = 0; state.round += 1;` and `notify_all()`. Everybody else: `while state.round == round { state = self.changed.wait(state).unwrap(); }`.
//? why: A count alone cannot serve two rounds: the last thread must reset it, and a slow sleeper then finds the reset count, or
//?   that of the next round, and sleeps again. The number of the round only grows. No thread can be more than one round ahead,
//?   because the next round needs all of them. The loop asks again after each wake-up, since a thread may wake for no reason.
//?   And both numbers change under the mutex, so nobody falls asleep between looking and the notification.

//! A barrier for `n` threads: `wait()` returns when all `n` have called it, and then the barrier can be used again at
//! once, for any number of rounds. A fast thread may call `wait()` for the next round while slow ones still wake up.
//!
//! - `new(n)`: `n` is at least 1, and may be some hundreds. There may be several barriers at a time.
//! - `wait()`: blocks until `n` threads, the caller among them, have called it in this round. A thread that waits
//!   sleeps: it does not turn in a loop.
//!
//! Use `std::sync::Mutex` and `exercise_kit::wake::Condvar`. This Condvar has the methods of std's, and it shows in every
//! round what std's shows seldom: a thread may wake up for no reason, and it needs a moment to fall asleep.
//! The check runs many rounds with many threads, and says so if one of them waits for ever.

//-- solution
use exercise_kit::wake::Condvar;
use std::sync::Mutex;
//-- end

pub struct Barrier {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    n: usize,
    state: Mutex<State>,
    changed: Condvar,
    //-- end
}
//-- solution

struct State {
    /// Threads that have come in this round.
    arrived: usize,
    /// How many rounds are over.
    round: usize,
}
//-- end

impl Barrier {
    pub fn new(n: usize) -> Barrier {
        //-- starter
        // todo!()
        //-- solution
        let state = Mutex::new(State { arrived: 0, round: 0 });
        Barrier { n, state, changed: Condvar::new() }
        //-- end
    }

    pub fn wait(&self) {
        //-- starter
        // todo!()
        //-- solution
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
        //-- end
    }
}
