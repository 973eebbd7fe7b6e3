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

// What the caller of a pool does with a job: a thread may come in as long as the door is open, and the caller closes it and
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
    use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
    use std::sync::mpsc::{self, Receiver};
    use std::thread;
    use std::time::Duration;

    /// How long something must not happen.
    const WATCHED: Duration = Duration::from_millis(60);
    /// After this, it never happens. In short waits: if the whole process stands still for a minute, that is one of them.
    const PATIENCE: usize = 60;

    const REFUSED: &str = "a thread who was refused does not count as inside: it never leaves";
    const LOST: &str = "a wake-up was lost, or a count: look and change under one lock";

    /// The answer's functions.
    #[derive(Clone, Copy)]
    struct Answer<E, L, C> {
        enter: E,
        leave: L,
        close: C,
    }

    pub fn check<D: Send + Sync + 'static>(
        new: fn() -> D,
        enter: fn(&D) -> bool,
        leave: fn(&D),
        close: fn(&D),
    ) -> Checked {
        let answer = Answer { enter, leave, close };
        let door = |case: &str| call(case, new).map(Arc::new);
        for (inside, knocks) in [(2, false), (2, true), (1, true), (3, true)] {
            let knock = if knocks { " while one more calls enter()" } else { "" };
            let case =
                format!("{inside} inside, close(){knock}, and then they leave one by one");
            leave_one_by_one(&case, door(&case)?, (inside, knocks), answer)?;
        }
        let case = "close() with nobody inside";
        empty(case, door(case)?, answer)?;
        for round in 0..20 {
            let case = format!("4 threads enter and leave, close() after {round} × 50 µs");
            crowd(&case, door(&case)?, round, answer)?;
        }
        Ok(())
    }

    /// Closes the door on a thread that belongs to nobody, so that it may wait for ever.
    fn closing<D: Send + Sync + 'static>(
        case: &str,
        door: &Arc<D>,
        close: impl Fn(&D) + Send + 'static,
    ) -> Receiver<Result<Asked, Failure>> {
        let (sender, receiver) = mpsc::channel();
        let (case, door) = (case.to_string(), door.clone());
        thread::spawn(move || {
            let closed = call(&case, || close(&door));
            sender.send(closed.map(|()| wake::asked())).ok();
        });
        receiver
    }

    /// What `close()` has asked, once it is over.
    fn over(receiver: &Receiver<Result<Asked, Failure>>) -> Option<Result<Asked, Failure>> {
        (0..PATIENCE).find_map(|_| receiver.recv_timeout(WATCHED).ok())
    }

    fn leave_one_by_one<D: Send + Sync + 'static>(
        case: &str,
        door: Arc<D>,
        (inside, knocks): (usize, bool),
        answer: Answer<impl Fn(&D) -> bool, impl Fn(&D), impl Fn(&D) + Copy + Send + 'static>,
    ) -> Checked {
        let enter = || call(case, || (answer.enter)(&door));
        for _ in 0..inside {
            if !enter()? {
                return Err(Failure::new(case, "enter() is true", "false")
                    .likely("the door is open until close() is called"));
            }
        }
        let receiver = closing(case, &door, answer.close);
        let early = |left: usize| -> Checked {
            let Ok(asked) = receiver.recv_timeout(WATCHED) else { return Ok(()) };
            let reason = match (asked?.waits, left) {
                (1.., 0) => "close() woke up for no reason, and took that for the sign",
                (0, 0) => "close() returns while somebody is inside",
                _ => "several threads may be inside: the first to leave is not the last",
            };
            let found = format!("it returned when {left} of {inside} had left");
            Err(Failure::new(case, "close() waits for all who are inside", found)
                .likely(reason))
        };
        early(0)?;
        let mut open = knocks;
        for _ in 0..PATIENCE {
            // The thread that closes may not have begun.
            if !open || !enter()? {
                open = false;
                break;
            }
            call(case, || (answer.leave)(&door))?;
            thread::sleep(WATCHED);
        }
        if open {
            // Out, so that the door tells what it does when all have gone.
            (0..inside).try_for_each(|_| call(case, || (answer.leave)(&door)))?;
            let closed = over(&receiver).is_some() && !enter()?;
            let reason = match closed {
                true => "close() has to close the door before it waits: newcomers still get in",
                false => "the door stays open: enter() has to be false once close() was called",
            };
            return Err(Failure::new(case, "enter() is false while close() waits", "true")
                .likely(reason));
        }
        wake::asked();
        let mut told = 0;
        for left in 1..=inside {
            call(case, || (answer.leave)(&door))?;
            let Asked { notify_one, notify_all, .. } = wake::asked();
            told += notify_one + notify_all;
            if left < inside {
                early(left)?;
            } else if notify_one + notify_all == 0 {
                let reason = match told {
                    0 if knocks => REFUSED,
                    0 => "the last to leave has not told the given Condvar",
                    _ => {
                        "all but the last to leave have told the Condvar, and only the last one matters"
                    }
                };
                if over(&receiver).is_none() {
                    return Err(for_ever(case, reason));
                }
                return if knocks { busy(case) } else { stays_closed(case, enter()?) };
            }
        }
        let reason = if knocks { REFUSED } else { LOST };
        let asked = over(&receiver).unwrap_or_else(|| Err(for_ever(case, reason)))?;
        if knocks && asked.waits == 0 {
            return busy(case);
        }
        stays_closed(case, enter()?)
    }

    fn stays_closed(case: &str, entered: bool) -> Checked {
        if !entered {
            return Ok(());
        }
        Err(Failure::new(case, "enter() is false after close()", "true")
            .likely("the door stays open: enter() has to be false once close() was called"))
    }

    fn for_ever(case: &str, reason: &'static str) -> Failure {
        let seconds = WATCHED.as_millis() as usize * PATIENCE / 1000;
        let found = format!("it still waited after {seconds} s");
        Failure::new(case, "close() returns when nobody is inside", found).likely(reason)
    }

    fn busy(case: &str) -> Checked {
        let found = "close() never called its wait()";
        Err(Failure::new(case, "close() sleeps on the given Condvar", found).likely(
            "a thread that looks again and again keeps a CPU busy: wait on the Condvar",
        ))
    }

    fn empty<D: Send + Sync + 'static>(
        case: &str,
        door: Arc<D>,
        answer: Answer<impl Fn(&D) -> bool, impl Fn(&D), impl Fn(&D) + Copy + Send + 'static>,
    ) -> Checked {
        let nothing = "if nobody is inside, there is nothing to wait for";
        let closed = over(&closing(case, &door, answer.close));
        let asked = closed.unwrap_or_else(|| Err(for_ever(case, nothing)))?;
        if asked.waits > 0 {
            let found = "it slept, and woke up for no reason";
            return Err(Failure::new(case, "close() returns at once", found).likely(nothing));
        }
        stays_closed(case, call(case, || (answer.enter)(&door))?)
    }

    /// Threads come and go until they are refused. Afterwards none may be inside.
    fn crowd<D: Send + Sync + 'static>(
        case: &str,
        door: Arc<D>,
        round: u64,
        answer: Answer<
            impl Fn(&D) -> bool + Copy + Send + 'static,
            impl Fn(&D) + Copy + Send + 'static,
            impl Fn(&D) + Copy + Send + 'static,
        >,
    ) -> Checked {
        let (inside, failed) =
            (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for _ in 0..4 {
            let (case, door) = (case.to_string(), door.clone());
            let (inside, failed) = (inside.clone(), failed.clone());
            thread::spawn(move || {
                let visit = || {
                    while (answer.enter)(&door) {
                        inside.fetch_add(1, Ordering::SeqCst);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        (answer.leave)(&door);
                    }
                };
                if call(&case, visit).is_err() {
                    failed.store(true, Ordering::SeqCst);
                }
            });
        }
        thread::sleep(Duration::from_micros(50 * round));
        let receiver = closing(case, &door, answer.close);
        over(&receiver).unwrap_or_else(|| Err(for_ever(case, LOST)))?;
        let late = inside.load(Ordering::SeqCst);
        if late > 0 || failed.load(Ordering::SeqCst) {
            let found = format!("{late} inside after close()");
            return Err(
                Failure::new(case, "nobody is inside after close()", found).likely(LOST)
            );
        }
        Ok(())
    }
}
