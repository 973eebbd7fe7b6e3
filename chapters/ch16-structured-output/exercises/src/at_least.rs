//! A number that must not be too small
//!
//! A model is writing a whole number that isn't negative, digit by digit. It has to be at least `least`, and may have at most
//! `longest` digits, 1 to 9. A number doesn't begin with 0, unless it is 0. `written` is what stands there already: nothing, or the
//! beginning of a number that can still be finished.
//!
//! Return the digits that may come next, in order, and whether the number may end here. A digit may come if the number can be
//! finished after it.
//!
//! Level: core, about 35 minutes.
//! Read: "Numbers", in the book at ch16/schema.html.
//! Run: `cargo run -- watch at_least`, or once: `cargo test -p ch16-exercises at_least`.
//! Stuck: `cargo run -- hint at_least`. Done: `cargo run -- solution at_least`. Start over: `cargo run -- reset at_least`.

pub fn at_least(least: u64, longest: usize, written: &str) -> (Vec<u32>, bool) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(at_least) in "../../../../tests/exercises/answers/ch16/at_least.rs");
