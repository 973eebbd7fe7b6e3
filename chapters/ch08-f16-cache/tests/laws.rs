//! The laws of caches, tried on this chapter's.

use ch08_f16_cache as engine;

use engine::cache::{ContiguousCache, KvType};
use kept::Tried;
use piece_rows::rows;
use test_support::laws::laws;

#[path = "../../../tests/shared/kept.rs"]
mod kept;
#[path = "../../../tests/shared/piece_rows.rs"]
mod piece_rows;

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
