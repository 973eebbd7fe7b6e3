//? title: Whichever of two futures has something first
//? page: ch09/listen.md
//? section: A future is a state that is asked again
//? level: core
//? minutes: 25
//? call: check(poll_first)
//? hint 1: Write down the four cases: either is ready or isn't. In which of them do you have an answer before you have asked both? And who has to know of you when you answer `Pending`?
//? hint 2: A future leaves word while it is asked, with the waker of the context that it is asked with. One that isn't asked doesn't know that anybody waits. So before you say `Pending`, both have to have said it, to the one who asks you now.
//? hint 3: `if let Poll::Ready(value) = a.poll(context) { return Poll::Ready(value); }`, and then what `b.poll(context)` says is your answer.
//? why: `Pending` is a promise: whoever asks will be told when it's worth asking again. Nothing in `poll_first` can tell them. The
//?   promise is kept by the two futures, each of which noted the waker when it was asked, and so both have to be asked, each
//?   time, with the context of that time. A second future that isn't asked shows no fault in a test where the first one has
//?   something soon; in a server it's a client that hangs. The opposite is as bad: if `b` is asked when `a` has already answered
//?   and has a value too, that value has been taken out and nobody gets it, a token of an answer, say. `poll_frame` of this
//?   chapter is made like this: a token if there is one, otherwise the clock.

// A stream waits for two things at once: the next token, and a clock that says that nothing has come for a while. Write
// the function that asks two futures at once:
//
// - If `a` is ready, return its value. Don't ask `b` then: it may have a value as well, which would be lost.
// - If only `b` is ready, return its value.
// - If neither is, return `Pending`, and whichever of them has something first must have us asked again.
//
// Ask each future at most once in a call. A future that has been ready isn't asked any more; yours isn't either. The
// next call may come with another context, and from then on it's that one that counts. While neither has anything, the
// thread must be free to do something else.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    //-- starter
    // todo!()
    //-- solution
    if let Poll::Ready(value) = a.poll(context) {
        return Poll::Ready(value);
    }
    b.poll(context)
    //-- end
}

//-- check
pub mod check {
    use exercise_kit::{Checked, Failure, call};
    use std::pin::Pin;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::task::{Context, Poll, Wake, Waker};

    type Asked<'a> = Pin<&'a mut dyn Future<Output = &'static str>>;

    const UNASKED: &str = "a future that was not asked does not know that anybody waits for it";
    const ELSEWHERE: &str = "a future left word with somebody other than the one who asks now";
    const BUSY: &str =
        "neither has anything, and yet it is asked again at once: a core is kept busy";
    const ENDLESS: &str = "the futures are asked again and again in one call: the thread does nothing else meanwhile";
    const AGAIN: &str = "a future was asked once more after it had been ready";
    const LOST: &str =
        "the second future was asked although the first one was ready: what it had is lost";

    /// Ready when it's asked for the `ready_at`th time, or never. It notes by whom it is asked.
    #[derive(Default)]
    struct Scripted {
        value: &'static str,
        ready_at: Option<usize>,
        asked: usize,
        in_this_call: usize,
        was_ready: bool,
        asked_too_late: bool,
        left_word_with: Option<Waker>,
    }

    impl Scripted {
        fn new(value: &'static str, ready_at: Option<usize>) -> Scripted {
            Scripted { value, ready_at, ..Scripted::default() }
        }
    }

    impl Future for Scripted {
        type Output = &'static str;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<&'static str> {
            self.asked_too_late |= self.was_ready;
            self.asked += 1;
            self.in_this_call += 1;
            assert!(self.in_this_call < 1000, "asked 1000 times in one call");
            self.left_word_with = Some(context.waker().clone());
            self.was_ready |= self.ready_at.is_some_and(|at| self.asked >= at);
            if self.was_ready { Poll::Ready(self.value) } else { Poll::Pending }
        }
    }

    /// Who asks, and how often it was told to ask again.
    struct Asker(AtomicUsize);

    impl Wake for Asker {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    pub fn check(
        poll_first: fn(Asked, Asked, &mut Context<'_>) -> Poll<&'static str>,
    ) -> Checked {
        let times = [Some(1), None, Some(2), Some(3)];
        for a in times {
            for b in times {
                story(poll_first, a, b)?;
            }
        }
        Ok(())
    }

    /// Asks until there is an answer, or four times.
    fn story(
        poll_first: fn(Asked, Asked, &mut Context<'_>) -> Poll<&'static str>,
        ready_a: Option<usize>,
        ready_b: Option<usize>,
    ) -> Checked {
        let (mut a, mut b) =
            (Scripted::new("from a", ready_a), Scripted::new("from b", ready_b));
        for time in 1..=4 {
            let case =
                format!("a is ready {}, b {}; call {time}", told(ready_a), told(ready_b));
            let asker = Arc::new(Asker(AtomicUsize::new(0)));
            let waker = Waker::from(Arc::clone(&asker));
            (a.in_this_call, b.in_this_call) = (0, 0);
            let is_ready = |at: Option<usize>| at.is_some_and(|at| time >= at);
            let expected = match (is_ready(ready_a), is_ready(ready_b)) {
                (true, _) => Poll::Ready("from a"),
                (_, true) => Poll::Ready("from b"),
                _ => Poll::Pending,
            };
            let answer = || {
                let mut context = Context::from_waker(&waker);
                let (a, b): (Pin<&mut Scripted>, Pin<&mut Scripted>) =
                    (Pin::new(&mut a), Pin::new(&mut b));
                poll_first(a, b, &mut context)
            };
            let told = match expected {
                Poll::Ready("from a") => format!("{expected:?}, a asked once and b not"),
                Poll::Ready(_) => format!("{expected:?}, each asked once"),
                Poll::Pending => format!("{expected:?}, each asked once, with this context"),
            };
            let found = call(&case, answer).map_err(|failure| {
                Failure { expected: told.clone(), ..failure }
                    .if_stopped("asked 1000 times", ENDLESS)
            })?;
            let wakes = asker.0.load(Ordering::Relaxed);
            let times = (a.in_this_call, b.in_this_call);
            let asked_right = times == (1, usize::from(expected != Poll::Ready("from a")));
            let reason = fault(&a, &b, &waker, wakes, expected);
            if reason.is_some() || !asked_right || found != expected {
                let found = format!("{found:?}, a asked {} times and b {}", times.0, times.1);
                let failure = Failure::new(&case, told, found);
                return Err(failure.likely(reason.unwrap_or_default()));
            }
            if found.is_ready() {
                return Ok(());
            }
        }
        Ok(())
    }

    fn told(ready_at: Option<usize>) -> &'static str {
        match ready_at {
            None => "never",
            Some(1) => "when asked for the first time",
            Some(2) => "when asked for the second time",
            Some(_) => "when asked for the third time",
        }
    }

    fn fault(
        a: &Scripted,
        b: &Scripted,
        waker: &Waker,
        wakes: usize,
        expected: Poll<&'static str>,
    ) -> Option<&'static str> {
        let has_word = |one: &Scripted| {
            one.left_word_with.as_ref().is_some_and(|with| with.will_wake(waker))
        };
        let is_pending = expected.is_pending();
        let faults = [
            (AGAIN, a.asked_too_late || b.asked_too_late),
            (UNASKED, b.in_this_call == 0 && expected != Poll::Ready("from a")),
            (LOST, b.in_this_call > 0 && expected == Poll::Ready("from a")),
            (ELSEWHERE, is_pending && !(has_word(a) && has_word(b))),
            (BUSY, is_pending && wakes > 0),
        ];
        faults.into_iter().find(|(_, is_so)| *is_so).map(|(reason, _)| reason)
    }
}
