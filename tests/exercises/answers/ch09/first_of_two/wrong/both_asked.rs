//? recognised: what it had is lost
//? why: Asks both and then looks. If both have a value, one of them is thrown away: a token that never arrives.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    match (a.poll(context), b.poll(context)) {
        (Poll::Ready(value), _) | (_, Poll::Ready(value)) => Poll::Ready(value),
        _ => Poll::Pending,
    }
}
