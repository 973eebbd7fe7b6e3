//! An exact dot product of bytes, of any length
//!
//! The dot product of two rows of signed bytes, exact for all bytes and any length. No rounding, and no overflow.
//!
//! A SIMD register holds twice as many `i32` as `i64`. So we sum in `i32` for as long as it cannot overflow, and then add
//! the sum to the result, which is an `i64`. How long is that? You prove it first:
//!
//! - `most_places()`: the largest number of products whose sum fits in an `i32` whatever the bytes are.
//! - `integer_dot(a, b)`: the sum of all a[i] * b[i]. Both slices have the same length, any length. No bytes give 0.
//!
//! Bytes go from -128 to 127, and both ends occur. The check brings rows of up to 2,200,000 bytes.
//!
//! Level: core, about 25 minutes.
//! Read: "The definition", in the book at ch05/integers.html.
//! Run: `cargo run -- watch integer_dot`, or once: `cargo test -p ch05-exercises integer_dot`.
//! Stuck: `cargo run -- hint integer_dot`. Done: `cargo run -- solution integer_dot`. Start over: `cargo run -- reset integer_dot`.

pub fn most_places() -> usize {
    todo!()
}

// a: [n], b: [n]
pub fn integer_dot(a: &[i8], b: &[i8]) -> i64 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(most_places, integer_dot) in "../../../../tests/exercises/answers/ch05/integer_dot.rs");
