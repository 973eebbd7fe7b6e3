//? recognised: once more after
//? why: Asks whether the future is ready and then asks it for the value. The first question has taken the value, and a future may panic at the second.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    mut a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    if a.as_mut().poll(context).is_ready() {
        return a.poll(context);
    }
    b.poll(context)
}
