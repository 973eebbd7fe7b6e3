//! The laws of caches, tried on a table.

use ch10_paged_kv as engine;

use engine::cache::{KvCache, KvType, Shape};
use engine::room::Room;
use engine::table::Table;
use ground::config::Config;
use kept::Tried;
use test_support::laws::laws;
use test_support::qwen3_0_6b;

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
fn the_laws_hold_for_a_table_in_a_large_room() {
    laws(|layers, width, _| {
        let (kv_heads, head_dim) =
            if width.is_multiple_of(2) { (2, width / 2) } else { (1, width) };
        let config = Config { layers, kv_heads, head_dim, ..qwen3_0_6b() };
        Tried(Table::new(&Room::new(&config, KvType::F32, 1000)))
    });
}
