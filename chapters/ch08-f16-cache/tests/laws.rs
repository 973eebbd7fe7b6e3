//! The laws of caches, tried on this chapter's.

use ch08_f16_cache as engine;

use engine::cache::{ContiguousCache, KvCache, KvType, Shape};
use kept::Tried;
use test_support::laws::laws;

#[path = "../../../tests/quantized_weights/kept.rs"]
mod kept;

/// So many rows of a piece.
fn rows(
    cache: &impl KvCache,
    layer: usize,
    index: usize,
    rows: usize,
) -> Result<(Vec<f32>, Vec<f32>), String> {
    let piece = cache.piece(layer, index).map_err(|error| error.to_string())?;
    if rows > piece.rows {
        return Err("rows that are not written".into());
    }
    let Shape { width, head_dim, .. } = cache.shape();
    let [k, v] = piece.rows(rows, width / head_dim, head_dim);
    Ok((k.into_iter().collect(), v.into_iter().collect()))
}

#[test]
fn the_laws_hold_for_caches_that_grow_and_for_those_with_room() {
    let heads = |width| if width % 2 == 0 { (2, width / 2) } else { (1, width) };
    for growing in [true, false] {
        laws(|layers, width, capacity| {
            let capacity = if growing { None } else { Some(capacity) };
            let cache = ContiguousCache::new(KvType::F32, layers, heads(width), capacity);
            Tried(cache.expect("there is memory"))
        });
    }
}
