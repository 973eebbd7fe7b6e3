//! Write the test that refuses a wrong gate
//!
//! Between its two products the MLP has a gate: result[i] = silu(gate[i]) * up[i], where silu(x) = x * sigmoid(x) and
//! sigmoid(x) = 1 / (1 + exp(-x)).
//!
//! Write a test of it. `swiglu` is some function of `gate` and `up`, of equal length. Return `Ok(())` if it computes this,
//! and otherwise an `Err` that holds the number you found at the first wrong place, as `{}` prints it.
//!
//! The check tries your test on two functions that are right, of which one computes in f64, and on nine that are wrong.
//!
//! Level: core, about 30 minutes.
//! Read: "The MLP", in the book at ch00/layer.html.
//! Run: `cargo run -- watch swiglu`, or once: `cargo test -p ch00-exercises swiglu`.
//! Stuck: `cargo run -- hint swiglu`. Done: `cargo run -- solution swiglu`. Start over: `cargo run -- reset swiglu`.

/// From gate and up to the result.
pub type Swiglu<'a> = &'a dyn Fn(&[f32], &[f32]) -> Vec<f32>;

pub fn gate_test(swiglu: Swiglu) -> Result<(), String> {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(gate_test) in "../../../../tests/exercises/answers/ch00/swiglu.rs");
