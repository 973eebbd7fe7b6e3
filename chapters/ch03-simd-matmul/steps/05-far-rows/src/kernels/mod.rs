//! The products that a model consists of, written once for every instruction set.
//!
//! Every dot product has the same shape: sixteen lanes, each a chain of fused multiply-adds, then a
//! fixed tree of sums. No output depends on how many others are computed beside it, and every output
//! is written once.

mod gemv;
mod number;
mod product;
mod rows;
mod tile;

pub use number::Number;
pub use product::{Dot, Product};
pub use rows::row_of;
