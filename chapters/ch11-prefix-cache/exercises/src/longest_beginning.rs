//! The longest common beginning with anything in a sorted map
//!
//! Texts that have been computed are in a `BTreeMap`, in the order of their tokens: `[1, 2]` is before `[1, 2, 0]`, and that
//! is before `[1, 3]`. Each has a number as its value. A new text comes in. Which of the others begins most like it?
//!
//! Return how many tokens it has in common with that one, counted from the beginning of both up to where they part, and that
//! one's value. If several have as many in common, any of them will do. If none has even the first token in common, or there
//! are none, return `None`.
//!
//! The cache may have a million texts. Don't go through them: it takes two look-ups in the map, and not more of them for a
//! long text. The keys count how often they are looked at, `tokens()` included, and the check has a limit.
//! `Text` is in `exercise_kit::prefix`. A map with such keys can be asked with a slice of tokens.
//!
//! Level: core, about 30 minutes.
//! Read: "A prefix tree", in the book at ch11/tree.html.
//! Run: `cargo run -- watch longest_beginning`, or once: `cargo test -p ch11-exercises longest_beginning`.
//! Stuck: `cargo run -- hint longest_beginning`. Done: `cargo run -- solution longest_beginning`. Start over: `cargo run -- reset longest_beginning`.

use exercise_kit::prefix::Text;
use std::collections::BTreeMap;

pub fn longest(texts: &BTreeMap<Text, u64>, text: &[u32]) -> Option<(usize, u64)> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(longest) in "../../../../tests/exercises/answers/ch11/longest_beginning.rs");
