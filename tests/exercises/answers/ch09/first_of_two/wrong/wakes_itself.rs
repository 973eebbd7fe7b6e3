//? recognised: a core is kept busy
//? why: Has itself asked again at once, to be safe. It works, and the thread goes round and round as long as nothing happens.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    if let Poll::Ready(value) = a.poll(context) {
        return Poll::Ready(value);
    }
    if let Poll::Ready(value) = b.poll(context) {
        return Poll::Ready(value);
    }
    context.waker().wake_by_ref();
    Poll::Pending
}
