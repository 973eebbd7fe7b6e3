use ground::config::Config;
use ground::error::Error;

use super::{Rows, Shape};

/// Why a cache refuses. When it does, it has written no row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CacheError {
    #[error(
        "a cache for {positions} positions takes {bytes} bytes, more than this system gives: \
         ask for fewer tokens, or shorten the prompt"
    )]
    Memory { positions: usize, bytes: u128 },
    #[error("the cache is full: {rows} more rows do not fit behind {length} of {capacity}")]
    Full { length: usize, rows: usize, capacity: usize },
    #[error("the cache has no layer {layer}: it has {layers} layers")]
    Layer { layer: usize, layers: usize },
    #[error("a row has {found} numbers, but the cache's rows have {expected}")]
    Width { found: usize, expected: usize },
    #[error("{keys} rows of keys came with {values} rows of values")]
    Rows { keys: usize, values: usize },
    #[error("the tokens begin at position {position}, but the cache holds {length} positions")]
    Position { position: usize, length: usize },
    #[error("the cache belongs to another model: (layers, width) {found:?}, not {expected:?}")]
    OtherModel { found: (usize, usize), expected: (usize, usize) },
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
    position: usize,
    rows: usize,
) -> Result<(), CacheError> {
    check_model(shape, (config.layers, config.kv_heads * config.head_dim))?;
    if position != shape.length {
        return Err(CacheError::Position { position, length: shape.length });
    }
    check_room(shape, rows)
}

/// A cache that holds rows of one prompt must not be used for another.
pub fn check_empty(shape: &Shape) -> Result<(), CacheError> {
    match shape.length {
        0 => Ok(()),
        length => Err(CacheError::Position { position: 0, length }),
    }
}

pub fn check_model(shape: &Shape, expected: (usize, usize)) -> Result<(), CacheError> {
    let found = (shape.layers, shape.width);
    if found == expected { Ok(()) } else { Err(CacheError::OtherModel { found, expected }) }
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

pub fn check_view(layer: usize, count: usize, written: usize) -> Result<(), CacheError> {
    if count <= written { Ok(()) } else { Err(CacheError::Unwritten { layer, count, written }) }
}
