mod check;
mod contiguous;

use ndarray::ArrayView2;
use serde::Serialize;

pub use check::{CacheError, check, check_empty};
pub use contiguous::ContiguousCache;

/// Keys and values, each [rows, width].
pub type Rows<'a> = (ArrayView2<'a, f32>, ArrayView2<'a, f32>);

/// A cache that is lent to a forward pass, or none.
pub type Lent<'a> = Option<&'a mut ContiguousCache>;

/// All about a cache but its rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shape {
    pub kind: &'static str,
    pub layers: usize,
    pub width: usize,            // kv_heads * head_dim
    pub length: usize,           // positions that are complete in all layers
    pub capacity: Option<usize>, // None: it grows
    pub memory_bytes: usize,     // taken at the moment
}
