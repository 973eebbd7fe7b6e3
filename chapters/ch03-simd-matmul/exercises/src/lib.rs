//! The exercises, in their order: open a file beside this one, read the task at its top, and replace `todo!()` or mend the
//! fault. `cargo run -- watch percentile` tests it each time you save it, and goes on to the next when it is right.
#![cfg(test)]

exercise_kit::exercises! {
    percentile
    bytes_per_token
    bandwidth_bound
    same_bits
    sum_tree
    dot_lanes
    widen_f16
    far_rows
    tile_order
    dot_simd
}
