//! Which row is where in the file
//!
//! A rotary embedding turns the numbers of a head in pairs. In the original weights of a Llama, number `i` of a head is turned
//! against number `i + head_dim / 2`, the first number of the pair and the second. In its GGUF file both lie side by side: pair
//! `i` is at `2 * i` and `2 * i + 1` of the head, in the same order. So the rows of the matrix that makes the queries had to be
//! reordered when the file was written.
//!
//! The matrix has `heads * head_dim` rows, those of head 0 first, and `head_dim` is even. Return for each of the file's rows,
//! in their order, which row of the original it is. Both are counted from 0.
//!
//! Level: warm-up, about 20 minutes.
//! Read: "Neighbours", in the book at ch15/block.html.
//! Run: `cargo run -- watch file_rows`, or once: `cargo test -p ch15-exercises file_rows`.
//! Stuck: `cargo run -- hint file_rows`. Done: `cargo run -- solution file_rows`. Start over: `cargo run -- reset file_rows`.

pub fn file_rows(heads: usize, head_dim: usize) -> Vec<usize> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(file_rows) in "../../../../tests/exercises/answers/ch15/file_rows.rs");
