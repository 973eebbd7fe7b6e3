//! The rows of a block from chapter 8 on, in which they may be of sixteen bits.

use crate::engine::cache::{KvCache, Shape};

/// So many rows of a block.
pub fn rows(
    cache: &impl KvCache,
    layer: usize,
    index: usize,
    rows: usize,
) -> Result<(Vec<f32>, Vec<f32>), String> {
    let block = cache.block(layer, index).map_err(|error| error.to_string())?;
    if rows > block.rows {
        return Err("rows that are not written".into());
    }
    let Shape { width, head_dim, .. } = cache.shape();
    let [k, v] = block.rows(rows, width / head_dim, head_dim);
    Ok((k.into_iter().collect(), v.into_iter().collect()))
}
