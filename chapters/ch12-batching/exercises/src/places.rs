//! Where each row of a batch belongs
//!
//! A batch has the next tokens of several texts, one text after the other. Each text has some rows in its table already
//! and brings some new tokens, perhaps none.
//!
//! - `positions(texts)`: the position of each row of the batch in its own text, from 0. `texts` has two numbers of each: how
//!   many rows it has already, and how many tokens it brings.
//! - `wanted(texts)`: which row of the batch has the logits after each text's last token, from 0. `texts` has how many tokens
//!   each brings, and whether it wants its logits. `None` for those that don't want any, and for those that bring nothing.
//!
//! Level: warm-up, about 20 minutes.
//! Read: "A row, and whose it is", in the book at ch12/rows.html.
//! Run: `cargo run -- watch places`, or once: `cargo test -p ch12-exercises places`.
//! Stuck: `cargo run -- hint places`. Done: `cargo run -- solution places`. Start over: `cargo run -- reset places`.

pub fn positions(texts: &[(usize, usize)]) -> Vec<usize> {
    todo!()
}

pub fn wanted(texts: &[(usize, bool)]) -> Vec<Option<usize>> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(positions, wanted) in "../../../../tests/exercises/answers/ch12/places.rs");
