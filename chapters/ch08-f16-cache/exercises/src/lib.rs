//! The exercises, in their order: open a file beside this one, read the task at its top, and replace `todo!()` or mend the
//! fault. `cargo run -- watch bytes_at_depth` tests it each time you save it, and goes on to the next when it is right.
#![cfg(test)]

exercise_kit::exercises! {
    bytes_at_depth
    two_halves
    nearest_even
    eight_bits
}
