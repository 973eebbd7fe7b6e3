//! The laws of caches, tried on a table.

use ch10_paged_kv as engine;

use engine::block_pool::BlockPool;
use engine::block_table::BlockTable;
use engine::cache::KvType;
use ground::config::Config;
use kept::Tried;
use piece_rows::rows;
use test_support::laws::laws;
use test_support::qwen3_0_6b;

#[path = "../../../tests/shared/kept.rs"]
mod kept;
#[path = "../../../tests/shared/piece_rows.rs"]
mod piece_rows;

#[test]
fn the_laws_hold_for_a_table_in_a_large_room() {
    laws(|layers, width, _| {
        let (kv_heads, head_dim) =
            if width.is_multiple_of(2) { (2, width / 2) } else { (1, width) };
        let config = Config { layers, kv_heads, head_dim, ..qwen3_0_6b() };
        Tried(BlockTable::new(&BlockPool::new(&config, KvType::F32, 1000)))
    });
}
