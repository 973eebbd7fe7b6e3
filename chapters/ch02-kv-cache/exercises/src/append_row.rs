//! Append one row to a cache that keeps each head's rows together
//!
//! The keys of one layer are in memory as `[kv_heads, rows, head_dim]`, row-major: all rows of head 0, then all
//! rows of head 1, and so on. A token has just been computed, and its key has the shape `[kv_heads, head_dim]`.
//!
//! Return the new keys, `[kv_heads, rows + 1, head_dim]`: every head has its old rows and then its new one.
//! An empty cache (`keys` is empty) has 0 rows.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "Appending a row", in the book at ch02/basic.html.
//! Run: `cargo run -- watch append_row`, or once: `cargo test -p ch02-exercises append_row`.
//! Stuck: `cargo run -- hint append_row`. Done: `cargo run -- solution append_row`. Start over: `cargo run -- reset append_row`.

// keys: [kv_heads, rows, head_dim], row: [kv_heads, head_dim] -> [kv_heads, rows + 1, head_dim]
pub fn append_row(keys: &[f32], row: &[f32], kv_heads: usize, head_dim: usize) -> Vec<f32> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(append_row) in "../../../../tests/exercises/answers/ch02/append_row.rs");
