//! The laws of caches, tried on this chapter's.

use ch06_fast_prefill as engine;

use engine::cache::{BasicCache, ContiguousCache, KvCache};
use engine::kernels::BLOCK_SIZE;
use kept::Tried;
use ndarray::ArrayView2;
use test_support::laws::laws;

#[path = "../../../tests/shared/kept.rs"]
mod kept;

/// So many rows of a block.
fn rows(
    cache: &impl KvCache,
    layer: usize,
    index: usize,
    rows: usize,
) -> Result<(Vec<f32>, Vec<f32>), String> {
    let (k, v) = cache.block(layer, index).map_err(|error| error.to_string())?;
    assert!(k.nrows() <= BLOCK_SIZE && k.dim() == v.dim());
    assert!(k.as_slice().is_some() && v.as_slice().is_some(), "in one stretch");
    let of = |part: ArrayView2<f32>| part.iter().take(rows * part.ncols()).copied().collect();
    Ok((of(k), of(v)))
}

#[test]
fn the_laws_hold_for_both_caches() {
    laws(|layers, width, _| Tried(BasicCache::new(layers, width)));
    laws(|layers, width, capacity| {
        Tried(ContiguousCache::new(layers, width, capacity).expect("there is memory"))
    });
}
