//! How many positions fit into a given amount of memory
//!
//! A cache keeps, for every position, one row of keys and one of values in each layer. A row has `head_dim` numbers
//! for each key-value head, and a number has `bytes_per_number` bytes.
//!
//! Return how many positions fit into `memory` bytes. A model whose position costs nothing (no layers, say) has no
//! such number: return `None`.
//!
//! For Qwen3-0.6B with f32 numbers: 28 layers, 16 heads, 8 key-value heads, head_dim 128; 1 GiB holds 4681 positions.
//!
//! Level: warm-up, about 10 minutes.
//! Read: "What a row costs", in the book at ch02/result.html.
//! Run: `cargo run -- watch cache_budget`, or once: `cargo test -p ch02-exercises cache_budget`.
//! Stuck: `cargo run -- hint cache_budget`. Done: `cargo run -- solution cache_budget`. Start over: `cargo run -- reset cache_budget`.

pub fn positions_that_fit(
    memory: u64,
    (layers, heads, kv_heads, head_dim): (u64, u64, u64, u64),
    bytes_per_number: u64,
) -> Option<u64> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(positions_that_fit) in "../../../../tests/exercises/answers/ch02/cache_budget.rs");
