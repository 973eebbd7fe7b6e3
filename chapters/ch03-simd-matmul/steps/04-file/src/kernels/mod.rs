//! The products that a model consists of, written once for every instruction set.
//!
//! Every dot product has the same shape: sixteen lanes, each a chain of fused multiply-adds, then a
//! fixed tree of sums.

mod number;
mod product;

pub use number::Number;
pub use product::{Dot, Product};
