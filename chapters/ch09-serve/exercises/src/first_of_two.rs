//! Whichever of two futures has something first
//!
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
//!
//! Level: core, about 25 minutes.
//! Read: "A future is a state that is asked again", in the book at ch09/listen.html.
//! Run: `cargo run -- watch first_of_two`, or once: `cargo test -p ch09-exercises first_of_two`.
//! Stuck: `cargo run -- hint first_of_two`. Done: `cargo run -- solution first_of_two`. Start over: `cargo run -- reset first_of_two`.

use std::pin::Pin;
use std::task::{Context, Poll};

pub fn poll_first<T>(
    a: Pin<&mut dyn Future<Output = T>>,
    b: Pin<&mut dyn Future<Output = T>>,
    context: &mut Context<'_>,
) -> Poll<T> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(poll_first) in "../../../../tests/exercises/answers/ch09/first_of_two.rs");
