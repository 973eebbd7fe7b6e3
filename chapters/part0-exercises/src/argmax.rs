//! Write the test that refuses a wrong argmax
//!
//! The rule of the page: argmax returns the index of the largest score. Of equal ones the first wins. NaN never wins against a
//! number, minus infinity included. If all are NaN, or the list is empty, the answer is 0.
//!
//! Write a test of it. `argmax` is some function; return `Ok(())` if it keeps the rule, and otherwise an `Err` that
//! holds the id you expected and the one you found.
//!
//! The check tries your test on two functions that are right and on eight that are wrong, each with one mistake.
//!
//! Level: core, about 20 minutes.
//! Read: "Greedy", in the book at ground/sampling.html.
//! Run: `cargo run -- watch argmax`, or once: `cargo test -p part0-exercises argmax`.
//! Stuck: `cargo run -- hint argmax`. Done: `cargo run -- solution argmax`. Start over: `cargo run -- reset argmax`.

pub fn argmax_test(argmax: &dyn Fn(&[f32]) -> usize) -> Result<(), String> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(argmax_test) in "../../../tests/exercises/answers/part0/argmax.rs");
