//? title: Whichever of two futures has something first
//? page: ch09/listen.md
//? section: A future is a state that is asked again
//? level: core
//? minutes: 25
//? call: check(answer::poll_first)
//? hint 1: Write down the four cases: either is ready or isn't. In which of them do you have an answer before you have asked both? And who has to know of you when you answer `Pending`?
//? hint 2: A future leaves word while it is asked, with the waker of the context that it is asked with. One that isn't asked doesn't know that anybody waits. So before you say `Pending`, both have to have said it, to the one who asks you now.
//? hint 3: `if let Poll::Ready(value) = a.poll(context) { return Poll::Ready(value); }`, and then what `b.poll(context)` says is your answer.
//? why: `Pending` is a promise: whoever asks will be told when it's worth asking again. Nothing in `poll_first` can tell them. The
//?   promise is kept by the two futures, each of which noted the waker when it was asked, and so both have to be asked, each
//?   time, with the context of that time. A second future that isn't asked shows no fault in a test where the first one has
//?   something soon; in a server it's a client that hangs. The opposite is as bad: if `b` is asked when `a` has already answered
//?   and has a value too, that value has been taken out and nobody gets it, a token of an answer, say. `poll_frame` of this
//?   chapter is made like this: a token if there is one, otherwise the clock.

//! A stream waits for two things at once: the next token, and a clock that says that nothing has come for a while. Write
//! the function that asks two futures at once:
//!
//! - If `a` is ready, return its value. Don't ask `b` then: it may have a value as well, which would be lost.
//! - If only `b` is ready, return its value.
//! - If neither is, return `Pending`, and whichever of them has something first must have us asked again.
//!
//! Ask each future at most once in a call. A future that has been ready isn't asked any more; yours isn't either. The
//! next call may come with another context, and from then on it's that one that counts. While neither has anything, the
//! thread must be free to do something else.

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
