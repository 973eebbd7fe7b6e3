//! Attention, written once for every instruction set, for keys and values that lie in blocks. What multiplies with
//! weights is the base's.

mod attend;
mod attention_scratch;
mod block_view;
mod decode_attention;
mod eight_bits;
mod eight_bits_attention;
mod kv_type;
mod window;

pub use crate::base::kernels::{Aligned, BLOCK_SIZE, Number, copy_padded};
pub use attend::Attend;
pub use block_view::{BlockView, Line};
pub use decode_attention::{Mix, Score, Weigh};
pub use kv_type::{KvType, round};
pub use window::first_block;
