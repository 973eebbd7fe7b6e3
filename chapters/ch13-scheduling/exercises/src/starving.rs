//! Who has waited longest
//!
//! Somebody has written down a schedule: `passes[pass][text]` says how many rows each text got in each pass. Text `t` was there
//! from pass `came[t]` on, and needed `needs[t]` rows in all. It never got more than these.
//!
//! A text *waits* in a pass if it's there, still lacks rows, and gets none. Return the text that waited longest without a break,
//! and for how many passes: `(text, passes)`. Of several that waited equally long, it's the one with the smallest number. If
//! nobody ever waited, return `None`.
//!
//! Level: warm-up, about 25 minutes.
//! Read: "Who waits", in the book at ch13/rule.html.
//! Run: `cargo run -- watch starving`, or once: `cargo test -p ch13-exercises starving`.
//! Stuck: `cargo run -- hint starving`. Done: `cargo run -- solution starving`. Start over: `cargo run -- reset starving`.

pub fn longest_wait(
    came: &[usize],
    needs: &[usize],
    passes: &[Vec<usize>],
) -> Option<(usize, usize)> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(longest_wait) in "../../../../tests/exercises/answers/ch13/starving.rs");
