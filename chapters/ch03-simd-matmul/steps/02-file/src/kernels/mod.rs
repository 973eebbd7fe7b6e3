//! The products that a model consists of.
//!
//! Every dot product has the same shape: sixteen lanes, each a chain of fused multiply-adds, then a
//! fixed tree of sums.

mod number;

pub use number::{Number, padded};
