//! Tables that the tree has found, and a model that only remembers: each text reads its own tokens, whatever was there before.

use ch11_prefix_cache as engine;

use std::cell::RefCell;

use come_and_go::{Read, remember, remembering, texts_come_and_go};
use engine::block_pool::BlockPool;
use engine::block_table::BlockTable;
use engine::cache::KvType;
use engine::kernels::BLOCK_SIZE;
use engine::prefix_cache::PrefixCache;

#[path = "../../../tests/shared/come_and_go.rs"]
mod come_and_go;

type Text = (Vec<u32>, BlockTable);

/// The next rows of a text, for which the tree gives up what it must.
fn next(tree: &mut PrefixCache, (ids, table): &mut Text) -> Option<Vec<Read>> {
    let new = &ids[table.length()..];
    while table.reserve(new.len()).is_err() {
        if !tree.evict(table.lacks(new.len())) {
            return None;
        }
    }
    let read = remember(new, table).expect("it is reserved");
    if new.len() > 1 || table.length().is_multiple_of(BLOCK_SIZE) {
        tree.insert(0, ids, table);
    }
    Some(read)
}

#[test]
fn each_text_reads_its_own_tokens() {
    let pool = BlockPool::new(&remembering(), KvType::F32, 24);
    let tree = RefCell::new(PrefixCache::new(&pool, 1));
    texts_come_and_go(
        |_, ids| tree.borrow_mut().match_prefix(0, &ids[..ids.len() - 1]),
        |texts| texts.iter_mut().map(|text| next(&mut tree.borrow_mut(), text)).collect(),
    );
    while tree.borrow_mut().evict(1) {}
    assert_eq!(pool.in_use(), 0, "all blocks are back");
}
