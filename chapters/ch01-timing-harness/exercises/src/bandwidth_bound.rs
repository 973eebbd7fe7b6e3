//! The bound that memory sets, and how near a run came
//!
//! A token reads `bytes_per_token` bytes, and the memory was measured to give `gb_per_second` (1 GB = 10^9 bytes). A run
//! took `seconds_per_token`.
//!
//! Return two numbers: the most tokens per second that the memory allows, and the share of it that the run reached (1.0:
//! all of it).
//!
//! Read: "The bound", in the book at ch01/roofline.html.
//! Hints: `chapters/ch01-timing-harness/exercises/hints/bandwidth_bound/1.md`.
//! Run: `cargo test -p ch01-exercises bandwidth_bound`

pub fn bandwidth_bound(
    bytes_per_token: u64,
    gb_per_second: f64,
    seconds_per_token: f64,
) -> (f64, f64) {
    todo!()
}
