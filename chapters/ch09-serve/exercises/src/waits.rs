//! What each of many clients waits
//!
//! So many clients ask a server at the same moment, and their requests are in a line. Reading one prompt takes `prompt`
//! milliseconds and gives the first token of its answer. Each further token takes a step of `step` milliseconds. All
//! answers have `tokens` tokens, at least one. The engine does one thing at a time and is never idle.
//!
//! Say when each client has its first token and when it has its last one, in milliseconds since they asked, in the
//! order of the line:
//!
//! - `one_after_the_other`: the engine answers a request to its end before it begins the next.
//! - `in_turn`: it reads all prompts first, one after the other. Then it computes one token for each client in turn,
//!   until all have theirs.
//!
//! A token is there when its pass is over. Nobody may have asked at all: then the list is empty.
//!
//! Level: warm-up, about 20 minutes.
//! Read: "One engine, many clients", in the book at ch09/index.html.
//! Run: `cargo run -- watch waits`, or once: `cargo test -p ch09-exercises waits`.
//! Stuck: `cargo run -- hint waits`. Done: `cargo run -- solution waits`. Start over: `cargo run -- reset waits`.

/// When the first token is there, and when the last one is.
type Waited = (u64, u64);

pub fn one_after_the_other(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    todo!()
}

pub fn in_turn(clients: u64, prompt: u64, step: u64, tokens: u64) -> Vec<Waited> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(one_after_the_other, in_turn) in "../../../../tests/exercises/answers/ch09/waits.rs");
