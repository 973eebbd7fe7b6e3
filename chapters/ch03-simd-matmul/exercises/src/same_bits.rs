//! Where two results first differ, to the bit
//!
//! A kernel promises the bits of its scalar twin. Return the first index at which two results differ in their
//! bits, or `None` when they are the same.
//!
//! Zero and minus zero are different bits; a NaN is the same as a NaN with the same bits. If one slice is a
//! beginning of the other, the first index that only the longer one has is the difference.
//!
//! Level: warm-up, about 10 minutes.
//! Read: "What "the same" means", in the book at ch03/same-bits.html.
//! Run: `cargo run -- watch same_bits`, or once: `cargo test -p ch03-exercises same_bits`.
//! Stuck: `cargo run -- hint same_bits`. Done: `cargo run -- solution same_bits`. Start over: `cargo run -- reset same_bits`.

// left: [n], right: [m]
pub fn first_difference(left: &[f32], right: &[f32]) -> Option<usize> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(first_difference) in "../../../../tests/exercises/answers/ch03/same_bits.rs");
