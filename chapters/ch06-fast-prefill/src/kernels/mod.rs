//! The products that a model consists of, written once for every instruction set.
//!
//! Every dot product of numbers has the same shape: sixteen lanes, each a chain of fused multiply-adds,
//! then a fixed tree of sums. With packed weights it is one chain: integers that share a scale are
//! multiplied and added up exactly, and each such sum goes through one fused multiply-add, a minimum
//! through another. No output depends on how many others are computed beside it, and every output is
//! written once.

mod attend;
mod attention_scratch;
mod block_products;
mod decode_attention;
mod gemv;
#[cfg(target_arch = "x86_64")]
mod in_tiles;
mod k_types;
mod number;
mod online_softmax;
mod packed;
mod packed_gemm;
mod packed_weight;
mod product;
mod q4_0;
mod q4_1;
mod q6_k;
mod q8_0;
mod quant_block;
mod repacked;
mod rounded;
mod rows;
mod sixteen;
mod tile;
mod tiles;

pub use attend::Attend;
pub use block_products::{add_weighted, dots};
pub use k_types::{Q4K, Q5K};
pub use number::{Number, padded};
pub use online_softmax::{BLOCK_SIZE, BlockView, OnlineSoftmax};
pub use packed::{PackedProduct, RepackedProduct};
pub use packed_gemm::tile as packed_tile;
pub use packed_weight::Panels;
pub use product::Product;
pub use q4_0::Q4_0;
pub use q4_1::Q4_1;
pub use q6_k::Q6K;
pub use q8_0::{Q5_0, Q8_0};
pub use quant_block::QuantBlock;
pub use repacked::{Repack, Repacked};
pub use rounded::{Group, Round, Rounded, TILE_ROWS};
pub use rows::{Aligned, copy_padded, row_of, rows_mut, sixteen_of};
pub use tile::{LARGE_TILE, tile};
