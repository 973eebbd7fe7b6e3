use std::ops::Range;

use ground::config::Config;
use ground::error::Error;

use super::{KvType, Rows, Shape};
use crate::kernels::BLOCK_SIZE;

/// Why a cache refuses. When it does, no new row counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    #[error(
        "a cache for {positions} positions takes {bytes} bytes, more than this system gives: \
         ask for fewer tokens, a shorter prompt or a smaller context"
    )]
    Memory { positions: usize, bytes: u128 },
    #[error("the cache is full: {rows} more rows do not fit behind {length} of {capacity}")]
    Full { length: usize, rows: usize, capacity: usize },
    #[error("the cache has no layer {layer}: it has {layers} layers")]
    Layer { layer: usize, layers: usize },
    #[error(
        "a key or a value at position {position} is beyond 65504, the largest number of sixteen bits: \
         give --kv-type f32"
    )]
    TooLarge { position: usize },
    #[error("a row has {found} numbers, but the cache's rows have {expected}")]
    Width { found: usize, expected: usize },
    #[error("{keys} rows of keys came with {values} rows of values")]
    Rows { keys: usize, values: usize },
    #[error("the tokens begin at position {position}, but the cache holds {length} positions")]
    Position { position: usize, length: usize },
    #[error(
        "the cache belongs to another model: (layers, width, head_dim, type) {found:?}, not {expected:?}"
    )]
    OtherModel { found: (usize, usize, usize, KvType), expected: (usize, usize, usize, KvType) },
    #[error("{count} rows were asked of layer {layer}, but only {written} are written")]
    Unwritten { layer: usize, count: usize, written: usize },
}

impl From<CacheError> for Error {
    fn from(error: CacheError) -> Error {
        Error::chapter(error)
    }
}

/// All that must be true before a forward pass writes its first row.
pub fn check(
    shape: &Shape,
    config: &Config,
    kv_type: KvType,
    position: usize,
    rows: usize,
) -> Result<(), CacheError> {
    let &Config { layers, kv_heads, head_dim, .. } = config;
    let found = (shape.layers, shape.width, shape.head_dim, shape.kv_type);
    let expected = (layers, kv_heads * head_dim, head_dim, kv_type);
    if found != expected {
        return Err(CacheError::OtherModel { found, expected });
    }
    if position != shape.length {
        return Err(CacheError::Position { position, length: shape.length });
    }
    check_room(shape, rows)
}

pub fn check_room(shape: &Shape, rows: usize) -> Result<(), CacheError> {
    let Shape { length, capacity, .. } = *shape;
    match capacity {
        Some(capacity) if rows > capacity - length => {
            Err(CacheError::Full { length, rows, capacity })
        }
        _ => Ok(()),
    }
}

pub fn check_layer(shape: &Shape, layer: usize) -> Result<(), CacheError> {
    let layers = shape.layers;
    if layer < layers { Ok(()) } else { Err(CacheError::Layer { layer, layers }) }
}

pub fn check_write(shape: &Shape, layer: usize, (k, v): Rows) -> Result<(), CacheError> {
    check_layer(shape, layer)?;
    if let Some(found) = [k.ncols(), v.ncols()].into_iter().find(|&width| width != shape.width)
    {
        return Err(CacheError::Width { found, expected: shape.width });
    }
    if k.nrows() != v.nrows() {
        return Err(CacheError::Rows { keys: k.nrows(), values: v.nrows() });
    }
    check_room(shape, k.nrows())
}

/// The positions of a block that have rows: it has at least one.
pub fn check_block(
    layer: usize,
    index: usize,
    written: usize,
) -> Result<Range<usize>, CacheError> {
    let start = index.saturating_mul(BLOCK_SIZE);
    if start >= written {
        let count = start.saturating_add(1);
        return Err(CacheError::Unwritten { layer, count, written });
    }
    Ok(start..written.min(start + BLOCK_SIZE))
}
