//! The products that a model consists of, written once for every instruction set.
//!
//! Every dot product has the same shape: sixteen lanes, each a chain of fused multiply-adds, then a
//! fixed tree of sums. No output depends on how many others are computed beside it, and every output
//! is written once.

mod blocks;
mod far_rows;
mod mix;
mod number;
mod packed;
mod product;
mod rounded;
mod rows;
mod scores;
mod tile;
mod tiles;

pub use blocks::{Q4_0, Q4K, Q5K, Q6K, Q8_0};
pub use mix::WeightedSums;
pub use number::Number;
pub use packed::{Block, PackedProduct};
pub use product::Product;
pub use rounded::{Group, Round, Rounded};
pub use rows::{Aligned, copy_padded};
pub use scores::Scores;
