//! The products that a model consists of, written once for every instruction set.
//!
//! Every dot product of numbers has the same shape: sixteen lanes, each a chain of fused multiply-adds,
//! then a fixed tree of sums. With packed weights it is one chain: integers that share a scale are
//! multiplied and added up exactly, and each such sum goes through one fused multiply-add, a minimum
//! through another. No output depends on how many others are computed beside it, and every output is
//! written once.

mod gemv;
mod mix;
mod number;
mod packed;
mod product;
mod q4_0;
mod q8_0;
mod quant_block;
mod rounded;
mod rows;
mod scores;
mod sixteen;
mod tile;
mod tiles;

pub use mix::WeightedSums;
pub use number::Number;
pub use packed::PackedProduct;
pub use product::Product;
pub use q4_0::Q4_0;
pub use q8_0::Q8_0;
pub use quant_block::QuantBlock;
pub use rounded::{Group, Round, Rounded};
pub use rows::{Aligned, copy_padded};
pub use scores::Scores;
