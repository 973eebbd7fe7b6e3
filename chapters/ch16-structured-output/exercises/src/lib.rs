//! The exercises, in their order: open a file beside this one, read the task at its top, and replace `todo!()` or mend the
//! fault. `cargo run -- watch across` tests it each time you save it, and goes on to the next when it is right.
#![cfg(test)]

exercise_kit::exercises! {
    across
    at_least
    nucleus
    crossed
    arguments_end
}
