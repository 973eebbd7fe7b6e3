//? recognised: left word with somebody
//? why: Asks with a context whose waker does nothing, so as not to disturb anybody. Both futures leave word, and it reaches nobody.

use std::pin::Pin;
use std::task::{Context, Poll, Waker};

pub fn poll_first<T>(
    a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    let _ = context;
    let mut quiet = Context::from_waker(Waker::noop());
    if let Poll::Ready(value) = a.poll(&mut quiet) {
        return Poll::Ready(value);
    }
    b.poll(&mut quiet)
}
