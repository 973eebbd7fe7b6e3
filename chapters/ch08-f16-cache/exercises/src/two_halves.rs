//! Two halves of the past become one
//!
//! The past is long, and two threads want to read it, each one half. That leaves two mixtures, one over the keys of the
//! first half and one over the rest, and somebody has to make them one. (The engine of this chapter doesn't: its last
//! bits would depend on where the past was cut. Others do and call it *flash decoding*, and the joining is the whole
//! trick.)
//!
//! What a thread knows of its keys is a `Part`:
//!
//! - the largest of their scores, or minus infinity if there are no keys;
//! - the sum of their weights. A weight is exp(score - largest), and without keys the sum is 0;
//! - the mixture: for each column the sum of weight * value. It hasn't been divided by anything. Without keys it's all
//!   0.
//!
//! Return the part of all keys together: its largest score, its sum and its mixture have to be what they'd be if one
//! thread had read everything. Sum and mixture may be off by a hundred-thousandth of the sum, since an `f32` rounds.
//! Your result may be a half of another join.
//!
//! Both halves have the same number of columns, any number. They needn't have as many keys, and one of them may have
//! none, or both. Scores are finite, from -3e38 to 3e38, and nothing may become infinite or NaN on the way to the
//! result.
//!
//! Level: deep, about 30 minutes.
//! Read: "One query on all threads", in the book at ch08/shares.html.
//! Run: `cargo run -- watch two_halves`, or once: `cargo test -p ch08-exercises two_halves`.
//! Stuck: `cargo run -- hint two_halves`. Done: `cargo run -- solution two_halves`. Start over: `cargo run -- reset two_halves`.

/// The largest score, the sum of the weights, and the mixture.
type Part = (f32, f32, Vec<f32>);

pub fn join(a: &Part, b: &Part) -> Part {
    todo!()
}

// The test. It stays here.
exercise_kit::exercise!(check(join) in "../../../../tests/exercises/answers/ch08/two_halves.rs");
