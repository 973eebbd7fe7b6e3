//? title: A door that closes, and waits for those inside
//? page: ch04/sleep.md
//? section: Condition variables: stop looking
//? level: core
//? minutes: 30
//? call: check(answer::Door::new, answer::Door::enter, answer::Door::leave, answer::Door::close)
//? hint 1: Two things have to be under one mutex: whether the door is closed, and how many are inside. Write `enter` and `leave` first, without any waiting.
//? hint 2: `close` does two things in this order: it closes the door, so that no one else gets in, and then it sleeps as long as somebody is inside. Who has to wake it?
//? hint 3: `state.closed = true; while state.inside > 0 { state = self.empty.wait(state).unwrap(); }`. In `leave`: `state.inside -= 1;` and, if that made it 0, `self.empty.notify_all();`.
//? why: The look at `closed` and the step inside are under one lock, so nobody gets in between the two. `close` shuts the door
//?   before it waits, or it might wait for ever for newcomers. It looks at the count again after each wake-up, since a thread may
//?   wake for no reason. And only the last to leave can change the answer, so only that one has to wake anybody.

//! What the caller of a pool does with a job: a thread may come in as long as the door is open, and the caller closes it and
//! waits for those who are inside.
//!
//! - `new()`: the door is open, and nobody is inside.
//! - `enter()`: true, and one more is inside, if the door is open. False if it is closed, from the moment when `close()` begins to
//!   wait.
//! - `leave()`: one of those inside goes. A closed door lets people out.
//! - `close()`: closes the door for good, and returns when nobody is inside. A thread that waits here sleeps: it does not
//!   turn in a loop.
//!
//! `enter`, `leave` and `close` are called by different threads at the same time, `close` by one of them and once. Use
//! `std::sync::Mutex` and `exercise_kit::wake::Condvar`, which has the methods of std's, and whose `wait` may return for no reason.

//-- solution
use exercise_kit::wake::Condvar;
use std::sync::Mutex;
//-- end

pub struct Door {
    //-- starter
    // // The fields are yours to choose.
    //-- solution
    state: Mutex<State>,
    empty: Condvar,
    //-- end
}
//-- solution

struct State {
    closed: bool,
    inside: usize,
}
//-- end

impl Door {
    // Clippy would like a Default beside it.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Door {
        //-- starter
        // todo!()
        //-- solution
        Door { state: Mutex::new(State { closed: false, inside: 0 }), empty: Condvar::new() }
        //-- end
    }

    pub fn enter(&self) -> bool {
        //-- starter
        // todo!()
        //-- solution
        let mut state = self.state.lock().expect("no thread panics while it holds this");
        if !state.closed {
            state.inside += 1;
        }
        !state.closed
        //-- end
    }

    pub fn leave(&self) {
        //-- starter
        // todo!()
        //-- solution
        let mut state = self.state.lock().expect("no thread panics while it holds this");
        state.inside -= 1;
        if state.inside == 0 {
            self.empty.notify_all();
        }
        //-- end
    }

    pub fn close(&self) {
        //-- starter
        // todo!()
        //-- solution
        let mut state = self.state.lock().expect("no thread panics while it holds this");
        state.closed = true;
        while state.inside > 0 {
            state = self.empty.wait(state).expect("no thread panics while it holds this");
        }
        //-- end
    }
}
