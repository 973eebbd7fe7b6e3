//! First the mask, then top-p
//!
//! The tokens of a small vocabulary have these shares, and `may` says of each whether it may come: at least one may. Of those that
//! may, return the fewest whose shares sum to at least `p` of all that these have together, the likeliest first. Of equal
//! ones the first comes first. All shares are above 0, and their sums are exact.
//!
//! Level: warm-up, about 20 minutes.
//! Read: "Where it stands", in the book at ch16/mask.html.
//! Run: `cargo run -- watch nucleus`, or once: `cargo test -p ch16-exercises nucleus`.
//! Stuck: `cargo run -- hint nucleus`. Done: `cargo run -- solution nucleus`. Start over: `cargo run -- reset nucleus`.

pub fn nucleus(shares: &[f32], may: &[bool], p: f32) -> Vec<usize> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(nucleus) in "../../../../tests/exercises/answers/ch16/nucleus.rs");
