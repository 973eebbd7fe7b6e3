//! The exercises, in their order: open a file beside this one, read the task at its top, and replace `todo!()` or mend the
//! fault. `cargo run -- watch longest_beginning` tests it each time you save it, and goes on to the next when it is right.
#![cfg(test)]

exercise_kit::exercises! {
    longest_beginning
    may_be_evicted
    collision
    overheard
}
