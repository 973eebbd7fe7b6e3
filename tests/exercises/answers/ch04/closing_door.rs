//? title: A door that closes, and waits for those inside
//? page: ch04/sleep.md
//? section: Condition variables: stop looking
//? level: core
//? minutes: 30
//? call: check(Door::new, Door::enter, Door::leave, Door::close)
//? hint 1: Two things have to be under one mutex: whether the door is closed, and how many are inside. Write `enter` and `leave` first, without any waiting.
//? hint 2: `close` does two things in this order: it closes the door, so that no one else gets in, and then it sleeps as long as somebody is inside. Who has to wake it?
//? hint 3: `state.closed = true; while state.inside > 0 { state = self.empty.wait(state).unwrap(); }`. In `leave`: `state.inside -= 1;` and, if that made it 0, `self.empty.notify_all();`.
//? why: The look at `closed` and the step inside are under one lock, so nobody gets in between the two. `close` shuts the door
//?   before it waits, or it might wait for ever for newcomers. It looks at the count again after each wake-up, since a thread may
//?   wake for no reason. And only the last to leave can change the answer, so only that one has to wake anybody.

// What the caller of a pool does with a task: a thread may come in as long as the door is open, and the caller closes it and
// waits for those who are inside.
//
// - `new()`: the door is open, and nobody is inside.
// - `enter()`: true, and one more is inside, if the door is open. False if it is closed, from the moment when `close()` begins to
//   wait.
// - `leave()`: one of those inside goes. A closed door lets people out.
// - `close()`: closes the door for good, and returns when nobody is inside. A thread that waits here sleeps: it does not
//   turn in a loop.
//
// `enter`, `leave` and `close` are called by different threads at the same time, `close` by one of them and once. Use
// `std::sync::Mutex` and `exercise_kit::wake::Condvar`, which has the methods of std's, and whose `wait` may return for no reason.

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

//-- check
pub mod check {
    use exercise_kit::wake::{self, Asked};
    use exercise_kit::{Checked, Failure, call};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{self, Receiver};
    use std::thread;
    use std::time::Duration;

    /// How long something must not happen.
    const WATCHED: Duration = Duration::from_millis(60);
    /// After this, it never happens. In short waits: if the whole process stands still for a minute, that is one of them.
    const PATIENCE: usize = 60;

    const REFUSED: &str = "a thread who was refused does not count as inside: it never leaves";
    const LOST: &str = "a wake-up was lost, or a count: look and change under one lock";

    /// A door, and the answer's functions.
    struct Door<D> {
        case: String,
        door: Arc<D>,
        enter: fn(&D) -> bool,
        leave: fn(&D),
        close: fn(&D),
    }

    type Closed = Result<Asked, Failure>;

    pub fn check<D: Send + Sync + 'static>(
        new: fn() -> D,
        enter: fn(&D) -> bool,
        leave: fn(&D),
        close: fn(&D),
    ) -> Checked {
        let door = |case: String| -> Result<Door<D>, Failure> {
            let door = Arc::new(call(&case, new)?);
            Ok(Door { case, door, enter, leave, close })
        };
        door("2 inside, close(), and then they leave one by one".into())?.one_by_one(false)?;
        let case =
            "2 inside, close() while one more calls enter(), and then they leave one by one";
        door(case.into())?.one_by_one(true)?;
        door("close() with nobody inside".into())?.empty()?;
        for round in 0..10 {
            let case = format!("4 threads enter and leave, close() after {round} × 50 µs");
            door(case)?.crowd(round)?;
        }
        Ok(())
    }

    impl<D: Send + Sync + 'static> Door<D> {
        fn enter(&self) -> Result<bool, Failure> {
            call(&self.case, || (self.enter)(&self.door))
        }

        fn leave(&self) -> Checked {
            call(&self.case, || (self.leave)(&self.door))
        }

        /// Closes the door on a thread that belongs to nobody, so that it may wait for ever.
        fn close(&self) -> Receiver<Closed> {
            let (sender, receiver) = mpsc::channel();
            let (case, door, close) = (self.case.clone(), self.door.clone(), self.close);
            thread::spawn(move || {
                let closed = call(&case, || close(&door));
                sender.send(closed.map(|()| wake::asked())).ok();
            });
            receiver
        }

        /// What `close()` has asked, once it is over. The reason tells why it never is.
        fn over(&self, closing: &Receiver<Closed>, reason: &'static str) -> Closed {
            let over = (0..PATIENCE).find_map(|_| closing.recv_timeout(WATCHED).ok());
            let never = "close() returns when nobody is inside";
            over.unwrap_or_else(|| self.wrong(never, "it still waited after 3 s", reason))
        }

        fn wrong<T>(
            &self,
            expected: &str,
            found: &str,
            reason: &'static str,
        ) -> Result<T, Failure> {
            Err(Failure::new(&self.case, expected, found).likely(reason))
        }

        fn one_by_one(&self, knocks: bool) -> Checked {
            for _ in 0..2 {
                if !self.enter()? {
                    let open = "the door is open until close() is called";
                    return self.wrong("enter() is true", "false", open);
                }
            }
            let closing = self.close();
            let early = |left: usize| -> Checked {
                let Ok(asked) = closing.recv_timeout(WATCHED) else { return Ok(()) };
                let reason = match (asked?.waits, left) {
                    (1.., 0) => "close() woke up for no reason, and took that for the sign",
                    (0, 0) => "close() returns while somebody is inside",
                    _ => "several threads may be inside: the first to leave is not the last",
                };
                let found = format!("it returned when {left} of 2 had left");
                self.wrong("close() waits for all who are inside", &found, reason)
            };
            early(0)?;
            // The thread that closes may not have begun.
            let mut patience = PATIENCE;
            while knocks && self.enter()? {
                self.leave()?;
                thread::sleep(WATCHED);
                patience -= 1;
                if patience == 0 {
                    let reason =
                        "close() has to close the door before it waits: newcomers still get in";
                    return self.wrong("enter() is false while close() waits", "true", reason);
                }
            }
            wake::asked();
            self.leave()?;
            early(1)?;
            self.leave()?;
            let Asked { notify_one, notify_all, .. } = wake::asked();
            let reason = match (knocks, notify_one + notify_all) {
                (true, _) => REFUSED,
                (false, 0) => "the last to leave has not told the given Condvar",
                (false, _) => LOST,
            };
            let asked = self.over(&closing, reason)?;
            if knocks && asked.waits == 0 {
                let (expected, found) =
                    ("close() sleeps on the given Condvar", "close() never called its wait()");
                let reason =
                    "a thread that looks again and again keeps a CPU busy: wait on the Condvar";
                return self.wrong(expected, found, reason);
            }
            self.stays_closed()
        }

        fn stays_closed(&self) -> Checked {
            if !self.enter()? {
                return Ok(());
            }
            let reason = "the door stays open: enter() has to be false once close() was called";
            self.wrong("enter() is false after close()", "true", reason)
        }

        fn empty(&self) -> Checked {
            let nothing = "if nobody is inside, there is nothing to wait for";
            if self.over(&self.close(), nothing)?.waits > 0 {
                let found = "it slept, and woke up for no reason";
                return self.wrong("close() returns at once", found, nothing);
            }
            self.stays_closed()
        }

        /// Threads come and go until they are refused. Afterwards none may be inside.
        fn crowd(&self, round: u64) -> Checked {
            let inside = Arc::new(AtomicUsize::new(0));
            for _ in 0..4 {
                let (case, door, inside) =
                    (self.case.clone(), self.door.clone(), inside.clone());
                let (enter, leave) = (self.enter, self.leave);
                let visit = move || {
                    while enter(&door) {
                        inside.fetch_add(1, Ordering::SeqCst);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        leave(&door);
                    }
                };
                // One that panics stays inside.
                thread::spawn(move || call(&case, visit).ok());
            }
            thread::sleep(Duration::from_micros(50 * round));
            self.over(&self.close(), LOST)?;
            match inside.load(Ordering::SeqCst) {
                0 => Ok(()),
                late => self.wrong("nobody is inside after close()", &late.to_string(), LOST),
            }
        }
    }
}
