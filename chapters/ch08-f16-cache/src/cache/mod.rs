mod check;
mod contiguous;
mod mode;

use std::fmt;

use ndarray::ArrayView2;
use serde::Serialize;

pub use check::{CacheError, check, check_block, check_layer, check_write};
pub use contiguous::ContiguousCache;
pub use mode::Mode;

use crate::kernels::BlockView;
pub use crate::kernels::{KvType, round};

/// The keys and values of every position that the model has seen.
///
/// A forward pass writes its new rows layer by layer, after the rows that are complete, and
/// advances the length once at the end: a pass that fails half-way leaves nothing behind.
pub trait KvCache: Send + Sync {
    fn shape(&self) -> Shape;
    /// Writes rows of one layer from position `length` on.
    fn write(&mut self, layer: usize, rows: Rows) -> Result<(), CacheError>;
    /// From now on the rows just written count. Every layer must have written them.
    fn advance(&mut self, rows: usize);
    /// The rows of one block of a layer, from position `index * BLOCK_SIZE` on, those just written among them.
    fn block(&self, layer: usize, index: usize) -> Result<BlockView<'_>, CacheError>;
    /// Forgets every position from `length` on, in all layers.
    fn truncate(&mut self, length: usize);
}

/// Keys and values as they were computed, each [rows, width].
pub type Rows<'a> = (ArrayView2<'a, f32>, ArrayView2<'a, f32>);

/// A cache that is lent to a forward pass, or none.
pub type Lent<'a, 'cache> = Option<&'a mut (dyn KvCache + 'cache)>;

/// All about a cache but its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    pub kind: &'static str,
    pub kv_type: KvType,
    pub layers: usize,
    pub width: usize, // kv_heads * head_dim
    pub head_dim: usize,
    pub length: usize,           // positions that are complete in all layers
    pub capacity: Option<usize>, // None: it grows
    pub memory_bytes: usize,     // taken at the moment
}

impl fmt::Debug for dyn KvCache {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.shape().fmt(f)
    }
}
