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
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    /// Silence is counted in short waits: if the whole process stands still for a minute, that is one of them.
    const TICK: Duration = Duration::from_millis(50);
    const SILENCE: usize = 60;

    /// A thread came out of wait().
    struct Passed {
        round: usize,
        /// How many threads had come to this round.
        present: usize,
        asked: Asked,
    }

    /// What all threads do. In each round another thread comes late: when all others sleep, or while they fall asleep.
    #[derive(Clone, Copy)]
    struct Plan {
        threads: usize,
        rounds: usize,
        /// In microseconds.
        late: u64,
        later_each_round: u64,
    }

    pub fn check<B: Send + Sync + 'static>(new: fn(usize) -> B, wait: fn(&B)) -> Checked {
        for (threads, rounds, late, later_each_round) in [
            (4, 8, 20_000, 0),
            (2, 6, 20_000, 0),
            (4, 300, 0, 0),
            (2, 60, 0, 50),
            (4, 60, 0, 50),
            (1, 3, 0, 0),
            (257, 2, 0, 0),
        ] {
            let case = format!(
                "{threads} threads, {rounds} rounds, in each another one comes {late} µs late, and {later_each_round} µs later than in the one before"
            );
            let barrier = Arc::new(call(&case, || new(threads))?);
            run(&case, Plan { threads, rounds, late, later_each_round }, barrier, wait)?;
        }
        Ok(())
    }

    /// The threads belong to nobody, so that one of them may wait for ever.
    fn run<B: Send + Sync + 'static>(
        case: &str,
        plan: Plan,
        barrier: Arc<B>,
        wait: fn(&B),
    ) -> Checked {
        let (sender, receiver) = mpsc::channel();
        let come: Arc<Vec<AtomicUsize>> =
            Arc::new((0..plan.rounds).map(|_| AtomicUsize::new(0)).collect());
        for thread in 0..plan.threads {
            let (case, sender) = (case.to_string(), sender.clone());
            let (barrier, come) = (barrier.clone(), come.clone());
            thread::spawn(move || {
                for (round, come) in come.iter().enumerate() {
                    let late = plan.late + plan.later_each_round * round as u64;
                    if late > 0 && round % plan.threads == thread {
                        thread::sleep(Duration::from_micros(late));
                    }
                    come.fetch_add(1, Ordering::SeqCst);
                    let passed = call(&case, || wait(&barrier)).map(|()| Passed {
                        round,
                        present: come.load(Ordering::SeqCst),
                        asked: wake::asked(),
                    });
                    // Nobody listens any more when the check has failed.
                    if passed.is_err() | sender.send(passed).is_err() {
                        return;
                    }
                }
            });
        }
        let mut passed: Vec<Passed> = Vec::new();
        let (mut silent, mut patience) = (0, SILENCE);
        while passed.len() < plan.threads * plan.rounds && silent < patience {
            let Ok(one) = receiver.recv_timeout(TICK) else {
                silent += 1;
                continue;
            };
            // The first panic counts: the others may have panicked because of it.
            passed.push(one?);
            silent = 0;
            if passed.last().is_some_and(|one| one.present < plan.threads) {
                // Others in this round say more about the reason: they have a moment.
                patience = 2;
            }
        }
        match (patience < SILENCE, silent == patience) {
            (true, _) => Err(too_early(case, plan, &passed)),
            (false, true) => Err(for_ever(case, plan, &passed)),
            (false, false) => asleep(case, plan, &passed),
        }
    }

    /// Where one thread comes long after the others, these must have slept on the Condvar.
    fn asleep(case: &str, plan: Plan, passed: &[Passed]) -> Checked {
        for round in (0..plan.rounds).filter(|_| plan.late > 0) {
            let awake =
                passed.iter().filter(|one| one.round == round && one.asked.waits == 0).count();
            if awake > 1 {
                let expected = "all threads but the last one sleep on the given Condvar";
                let found = format!("{awake} of {} never called its wait()", plan.threads);
                let reason = "a thread that looks again and again keeps a CPU busy: wait on the given Condvar";
                let failure = Failure::new(case, expected, found).likely(reason);
                return Err(failure.at(format!("round {}", round + 1)));
            }
        }
        Ok(())
    }

    fn too_early(case: &str, plan: Plan, passed: &[Passed]) -> Failure {
        let n = plan.threads;
        let early = || passed.iter().filter(|one| one.present < n);
        let round = early().map(|one| one.round).min().unwrap_or_default();
        let least = |slept: bool| {
            let of_round = early().filter(|one| one.round == round);
            of_round.filter(|one| (one.asked.waits > 0) == slept).map(|one| one.present).min()
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
        let present = least(!awake).into_iter().chain(least(awake)).min().unwrap_or_default();
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
        let reason = if notified(|asked| asked.notify_all) {
            "what a sleeper looks at was turned back before it looked, or was not changed under the mutex"
        } else if notified(|asked| asked.notify_one) {
            "notify_one wakes one thread: all the others sleep on"
        } else {
            "a round was not opened, or nobody has told the given Condvar: who is the last to come, and what does it do?"
        };
        let found = format!("a thread still waited after 3 s: {count} of {n} have come out");
        Failure::new(case, format!("all {n} threads come out of wait()"), found)
            .at(format!("round {}", round + 1))
            .likely(reason)
    }
}
