//! A 16-bit float widened by hand
//!
//! Turn the 16 bits of an IEEE half-precision float into the f32 of the same value, without a library:
//!
//! - bit 15 is the sign, bits 10 to 14 the exponent, bits 0 to 9 the mantissa.
//! - exponent 1 to 30: (1 + mantissa / 1024) * 2^(exponent - 15)
//! - exponent 0: mantissa / 1024 * 2^-14 (zero, minus zero, and the subnormal numbers)
//! - exponent 31: infinity when the mantissa is 0, otherwise NaN (any NaN will do)
//!
//! The check tries all 65,536.
//!
//! Level: core, about 30 minutes.
//! Read: "Numbers of three types", in the book at ch03/file.html.
//! Run: `cargo run -- watch widen_f16`, or once: `cargo test -p ch03-exercises widen_f16`.
//! Stuck: `cargo run -- hint widen_f16`. Done: `cargo run -- solution widen_f16`. Start over: `cargo run -- reset widen_f16`.

pub fn widen(bits: u16) -> f32 {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(widen) in "../../../../tests/exercises/answers/ch03/widen_f16.rs");
