//? title: A barrier that may be used again and again
//? page: ch04/pool.md
//? section: Fork-join
//? level: deep
//? minutes: 40
//? call: check(Barrier::new, Barrier::wait)
//? hint 1: Write the barrier for one round first: a count under a mutex; the last thread wakes the others. Then let one thread run ahead into the second round while the others are still waking up. What do they find in the count?
//? hint 2: A sleeper must look at something that the next round cannot turn back. Keep two numbers under the mutex: how many have come, and the number of the round. The last to come resets the first and adds one to the second.
//? hint 3: Note the round when you come: `let round = state.round;`. The last one does `state.arrived = 0; state.round += 1;` and `notify_all()`. Everybody else: `while state.round == round { state = self.changed.wait(state).unwrap(); }`.
//? why: A count alone cannot serve two rounds: the last thread must reset it, and a slow sleeper then finds the reset count, or
//?   that of the next round, and sleeps again. The number of the round only grows. No thread can be more than one round ahead,
//?   because the next round needs all of them. The loop asks again after each wake-up, since a thread may wake for no reason.
//?   And both numbers change under the mutex, so nobody falls asleep between looking and the notification.

// A barrier for `n` threads: `wait()` returns when all `n` have called it, and then the barrier can be used again at
// once, for any number of rounds. A fast thread may call `wait()` for the next round while slow ones still wake up.
//
// - `new(n)`: `n` is at least 1, and may be some hundreds. There may be several barriers at a time.
// - `wait()`: blocks until `n` threads, the caller among them, have called it in this round. A thread that waits
//   sleeps: it does not turn in a loop.
//
// Use `std::sync::Mutex` and `exercise_kit::wake::Condvar`. This Condvar has the methods of std's, and it shows in every
// round what std's shows seldom: a thread may wake up for no reason, and it needs a moment to fall asleep.
// The check runs many rounds with many threads, and says so if one of them waits for ever.

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

//-- check
pub mod check {
    use exercise_kit::wake::{self, Asked};
    use exercise_kit::{Checked, Failure, call};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc::{self, RecvTimeoutError};
    use std::sync::{Arc, Mutex};
    use std::thread;
    use std::time::Duration;

    /// Silence is counted in short waits: if the whole process stands still for a minute, that is one of them.
    const TICK: Duration = Duration::from_millis(50);
    const SILENCE: usize = 60;

    /// A thread came out of wait().
    #[derive(Clone, Copy)]
    struct Passed {
        round: usize,
        /// How many threads had come to this round.
        present: usize,
        asked: Asked,
    }

    #[derive(Clone, Copy)]
    enum Late {
        Never,
        /// When all others sleep.
        Long,
        /// While the others fall asleep: a little later in each round.
        Swept,
    }

    impl Late {
        fn by(self, round: usize) -> Duration {
            match self {
                Late::Never => Duration::ZERO,
                Late::Long => Duration::from_millis(20),
                Late::Swept => Duration::from_micros(50 * round as u64),
            }
        }
    }

    /// What all threads do.
    #[derive(Clone, Copy)]
    struct Plan {
        threads: usize,
        rounds: usize,
        /// In each round another thread comes after the others.
        late: Late,
    }

    pub fn check<B: Send + Sync + 'static>(new: fn(usize) -> B, wait: fn(&B)) -> Checked {
        let plans = [
            (4, 8, Late::Long),
            (1, 3, Late::Long),
            (2, 6, Late::Long),
            (7, 7, Late::Long),
            (2, 300, Late::Never),
            (4, 300, Late::Never),
            (16, 50, Late::Never),
            (2, 60, Late::Swept),
            (4, 60, Late::Swept),
            (257, 2, Late::Never),
        ];
        for (threads, rounds, late) in plans {
            let plan = Plan { threads, rounds, late };
            let how = match late {
                Late::Never => "without a pause",
                Late::Long => "in each another one comes 20 ms late",
                Late::Swept => "in each another one comes late, by 0 to 3 ms",
            };
            let case = format!("{threads} threads, {rounds} rounds, {how}");
            let barrier = call(&case, || new(threads))?;
            run(&case, plan, Arc::new(barrier), wait)?;
        }
        of_its_own(&new, wait)
    }

    /// One thread at each of two barriers for two.
    fn of_its_own<B: Send + Sync + 'static>(
        new: &impl Fn(usize) -> B,
        wait: impl Fn(&B) + Copy + Send + 'static,
    ) -> Checked {
        let case = "two barriers for 2 threads, and one thread comes to each";
        let barriers = [Arc::new(call(case, || new(2))?), Arc::new(call(case, || new(2))?)];
        let (sender, receiver) = mpsc::channel();
        let come = || {
            for barrier in barriers.clone() {
                let sender = sender.clone();
                // Belongs to nobody, as above.
                thread::spawn(move || sender.send(call(case, || wait(&barrier))).ok());
            }
        };
        come();
        if receiver.recv_timeout(4 * TICK).is_ok() {
            return Err(Failure::new(case, "both wait", "one has passed").likely(
                "each barrier has a count of its own: what is static is shared by all of them",
            ));
        }
        come();
        for _ in 0..4 {
            let patience = TICK * SILENCE as u32;
            receiver.recv_timeout(patience).unwrap_or_else(|_| {
                Err(Failure::new(
                    case,
                    "with two more threads all four pass",
                    "one still waits",
                ))
            })?;
        }
        Ok(())
    }

    /// The threads belong to nobody, so that one of them may wait for ever.
    fn run<B: Send + Sync + 'static>(
        case: &str,
        plan: Plan,
        barrier: Arc<B>,
        wait: impl Fn(&B) + Copy + Send + 'static,
    ) -> Checked {
        let (sender, receiver) = mpsc::channel();
        let come: Arc<Vec<AtomicUsize>> =
            Arc::new((0..plan.rounds).map(|_| AtomicUsize::new(0)).collect());
        let panic = Arc::new(Mutex::new(None));
        for thread in 0..plan.threads {
            let (case, sender, panic) = (case.to_string(), sender.clone(), panic.clone());
            let (barrier, come) = (barrier.clone(), come.clone());
            thread::spawn(move || {
                for (round, come) in come.iter().enumerate() {
                    let late = plan.late.by(round);
                    if !late.is_zero() && round % plan.threads == thread {
                        thread::sleep(late);
                    }
                    come.fetch_add(1, Ordering::SeqCst);
                    if let Err(failure) = call(&case, || wait(&barrier)) {
                        // The first one counts: the others may have panicked because of it.
                        if let Ok(mut first) = panic.lock() {
                            first.get_or_insert(failure);
                        }
                        return;
                    }
                    let present = come.load(Ordering::SeqCst);
                    // Nobody listens any more when the check has failed.
                    if sender.send(Passed { round, present, asked: wake::asked() }).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut passed: Vec<Passed> = Vec::new();
        let mut silent = 0;
        let (mut patience, mut early) = (SILENCE, false);
        while passed.len() < plan.threads * plan.rounds && silent < patience {
            match receiver.recv_timeout(TICK) {
                Ok(one) => {
                    silent = 0;
                    passed.push(one);
                    if one.present < plan.threads {
                        // Others in this round say more about the reason: they have a moment.
                        (patience, early) = (2, true);
                    }
                }
                Err(RecvTimeoutError::Timeout) => silent += 1,
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let Ok(Some(failure)) = panic.lock().map(|mut first| first.take()) {
                return Err(failure);
            }
        }
        match (early, passed.len() == plan.threads * plan.rounds) {
            (true, _) => Err(too_early(case, plan, &passed)),
            (false, true) => asleep(case, plan, &passed),
            (false, false) => Err(for_ever(case, plan, &passed)),
        }
    }

    /// Where one thread comes long after the others, these must have slept on the Condvar.
    fn asleep(case: &str, plan: Plan, passed: &[Passed]) -> Checked {
        let Late::Long = plan.late else { return Ok(()) };
        for round in 0..plan.rounds {
            let awake =
                passed.iter().filter(|one| one.round == round && one.asked.waits == 0).count();
            if awake > 1 {
                let expected = "all threads but the last one sleep on the given Condvar";
                let found = format!("{awake} of {} never called its wait()", plan.threads);
                return Err(Failure::new(case, expected, found)
                .at(format!("round {}", round + 1))
                .likely("a thread that looks again and again keeps a CPU busy: wait on the given Condvar"));
            }
        }
        Ok(())
    }

    fn too_early(case: &str, plan: Plan, passed: &[Passed]) -> Failure {
        let n = plan.threads;
        let early = || passed.iter().filter(|one| one.present < n);
        let round = early().map(|one| one.round).min().unwrap_or_default();
        let of_round = || early().filter(|one| one.round == round);
        let present = of_round().map(|one| one.present).min().unwrap_or_default();
        let least = |slept: bool| {
            let those = of_round().filter(|one| (one.asked.waits > 0) == slept);
            those.map(|one| one.present).min()
        };
        // A thread that has woken for no reason comes to the next round, and is counted in this one: then the last one to
        // come is taken for all of them, and does not sleep either. But it came later.
        let awake = match (least(false), least(true)) {
            (Some(awake), Some(slept)) => awake <= slept,
            (awake, _) => awake.is_some(),
        };
        let reason = match (awake, round) {
            (false, _) => "a thread woke up for no reason, and took that for the sign",
            (true, 0) => "a thread passes without sleeping before all n have come",
            (true, _) => {
                "the count of the round before was still there when the next one began"
            }
        };
        let expected = format!("no thread passes before all {n} have come");
        let found = format!("a thread passed when {present} of {n} had come");
        Failure::new(case, expected, found).at(format!("round {}", round + 1)).likely(reason)
    }

    fn for_ever(case: &str, plan: Plan, passed: &[Passed]) -> Failure {
        let n = plan.threads;
        let out = |round: usize| passed.iter().filter(move |one| one.round == round);
        let round = (0..plan.rounds).find(|&round| out(round).count() < n).unwrap_or_default();
        let count = out(round).count();
        let notified = |of: fn(&Asked) -> usize| out(round).any(|one| of(&one.asked) > 0);
        let reason = if count == 0 && round > 0 {
            "no thread was the last of this round: the count does not begin at 0 again"
        } else if count == 0 {
            "all threads sleep: the last one to come must not, for nobody is left to wake it"
        } else if n > 2
            && count == n - 1
            && !notified(|asked| asked.notify_all + asked.notify_one)
        {
            "the last one to come wakes the others and then sleeps too: nobody is left to wake it"
        } else if notified(|asked| asked.notify_all) {
            "what a sleeper looks at was turned back before it looked, or was not changed under the mutex"
        } else if notified(|asked| asked.notify_one) {
            "notify_one wakes one thread: all the others sleep on"
        } else {
            "all have come, and nobody has told the given Condvar"
        };
        let seconds = TICK.as_millis() as usize * SILENCE / 1000;
        let found = format!(
            "a thread still waited after {seconds} s: {count} of {n} have come out of wait()"
        );
        Failure::new(case, format!("all {n} threads come out of wait()"), found)
            .at(format!("round {}", round + 1))
            .likely(reason)
    }
}
