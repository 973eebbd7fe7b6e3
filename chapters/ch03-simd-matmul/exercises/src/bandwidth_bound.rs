//! The bound for a batch: which bytes are shared
//!
//! The page has the bound for one sequence. A server decodes several at once: one pass reads the weights once for all of
//! them, and for each sequence its own keys and values. It gives one token to each.
//!
//! `weight_bytes` are the bytes of all weights, `past_bytes` those of the keys and values of one sequence; all of them are
//! equally long here. The memory gives `gb_per_second` (1 GB = 10^9 bytes). Return two numbers, in tokens per second of all
//! sequences together: the most that memory allows for this batch, and the limit that no batch can pass, however large
//! (infinity if there is none).
//!
//! Level: core, about 20 minutes.
//! Read: "The bound", in the book at ch03/roofline.html.
//! Run: `cargo run -- watch bandwidth_bound`, or once: `cargo test -p ch03-exercises bandwidth_bound`.
//! Stuck: `cargo run -- hint bandwidth_bound`. Done: `cargo run -- solution bandwidth_bound`. Start over: `cargo run -- reset bandwidth_bound`.

pub fn batch_bound(
    weight_bytes: u64,
    past_bytes: u64,
    gb_per_second: f64,
    batch: u64,
) -> (f64, f64) {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(batch_bound) in "../../../../tests/exercises/answers/ch03/bandwidth_bound.rs");
