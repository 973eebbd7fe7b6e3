//! Whose keys a query may see
//!
//! Keys of several texts lie in one memory. Say for each query which of these keys it may see: a list for each query, with
//! true or false for each key, in their order.
//!
//! - A query is the number of its text and its position there.
//! - A key is the numbers of all texts that it belongs to, and its position. Texts that begin alike have its rows
//!   in common up to there, so it has the same position in each.
//! - A query sees the keys of its own text, up to its own position and including that.
//!
//! Level: core, about 25 minutes.
//! Read: "Each its own", in the book at ch12/attend.html.
//! Run: `cargo run -- watch who_sees`, or once: `cargo test -p ch12-exercises who_sees`.
//! Stuck: `cargo run -- hint who_sees`. Done: `cargo run -- solution who_sees`. Start over: `cargo run -- reset who_sees`.

pub fn mask(queries: &[(usize, usize)], keys: &[(Vec<usize>, usize)]) -> Vec<Vec<bool>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(mask) in "../../../../tests/exercises/answers/ch12/who_sees.rs");
