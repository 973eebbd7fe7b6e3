//! Where each tensor begins: offsets and alignment
//!
//! The tensors of a GGUF file are one after the other in its data section, each at an offset that is a multiple of the file's
//! alignment (`general.alignment`, 32 unless the file says something else). Between two tensors there is just enough
//! padding for that.
//!
//! Given the sizes in bytes, return the offset of each tensor from the beginning of the data section. The first is 0.
//! Example: sizes 34, 64, 5 with alignment 32 begin at 0, 64, 128.
//!
//! Our reader accepts only powers of two as an alignment. Your function should work for every alignment from 1 on, 24 included.
//!
//! Level: warm-up, about 15 minutes.
//! Read: "Where the numbers are", in the book at part0/file.html.
//! Run: `cargo run -- watch tensor_offsets`, or once: `cargo test -p part0-exercises tensor_offsets`.
//! Stuck: `cargo run -- hint tensor_offsets`. Done: `cargo run -- solution tensor_offsets`. Start over: `cargo run -- reset tensor_offsets`.

// sizes: [n] -> [n]
pub fn tensor_offsets(sizes: &[u64], alignment: u64) -> Vec<u64> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(tensor_offsets) in "../../../tests/exercises/answers/part0/tensor_offsets.rs");
