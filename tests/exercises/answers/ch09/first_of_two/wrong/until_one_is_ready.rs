//? recognised: again and again
//? why: Asks until one of them is ready, which is what waiting looks like in a thread of its own. This thread has all the other connections to serve, and what the futures wait for may be one of them.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    mut a: Pin<&mut dyn Future<Output = T>>,
    mut b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    loop {
        if let Poll::Ready(value) = a.as_mut().poll(context) {
            return Poll::Ready(value);
        }
        if let Poll::Ready(value) = b.as_mut().poll(context) {
            return Poll::Ready(value);
        }
    }
}
