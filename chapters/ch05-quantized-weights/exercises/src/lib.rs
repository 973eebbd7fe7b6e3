//! The exercises, in their order: open a file beside this one, read the task at its top, and replace `todo!()` or mend the
//! fault. `cargo run -- watch quantize_block` tests it each time you save it, and goes on to the next when it is right.
#![cfg(test)]

exercise_kit::exercises! {
    quantize_block
    integer_dot
    six_bits
    one_scale_too_far
}
