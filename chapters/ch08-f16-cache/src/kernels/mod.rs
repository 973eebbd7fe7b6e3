//! Attention, written once for every instruction set, for keys and values that lie in pieces. What multiplies with
//! weights is the base's.

mod attend;
mod kv_type;
mod lone;
mod piece;
mod work;

pub use crate::base::kernels::{Aligned, Number, PIECE, copy_padded};
pub use attend::Attend;
pub use kv_type::{KvType, round};
pub use lone::{Mix, Score, Weigh};
pub use piece::{Line, Piece};
