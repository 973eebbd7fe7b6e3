//! Sixteen lanes to one number, in one fixed order
//!
//! Add 16 lanes to one number by folding: lane j and lane j + 8 (for j from 0 to 7), then of these j and j + 4, then j and
//! j + 2, then the last two. In each addition the lower lane is on the left.
//!
//! Floating-point addition rounds, so that another order gives other bits: the check compares bits.
//!
//! Level: warm-up, about 10 minutes.
//! Read: "The tree of sums", in the book at ch03/lanes.html.
//! Run: `cargo run -- watch sum_tree`, or once: `cargo test -p ch03-exercises sum_tree`.
//! Stuck: `cargo run -- hint sum_tree`. Done: `cargo run -- solution sum_tree`. Start over: `cargo run -- reset sum_tree`.

// lanes: [16]
pub fn sum_tree(lanes: [f32; 16]) -> f32 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(sum_tree) in "../../../../tests/exercises/answers/ch03/sum_tree.rs");
