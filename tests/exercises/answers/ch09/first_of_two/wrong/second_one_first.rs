//? recognised: first one's value
//? why: Asks the second future first. Then the clock wins over a token that was there.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    if let Poll::Ready(value) = b.poll(context) {
        return Poll::Ready(value);
    }
    a.poll(context)
}
