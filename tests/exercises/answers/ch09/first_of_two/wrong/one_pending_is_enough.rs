//? recognised: was not asked
//? why: Says `Pending` as soon as the first future does, as `?` would. When the second one has something, it has nobody to tell.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    match a.poll(context) {
        Poll::Ready(value) => Poll::Ready(value),
        Poll::Pending => Poll::Pending,
    }
}
