//! Tables that share blocks, and a model that only remembers: each text reads its own tokens, whoever shares them.

use ch10_paged_kv as engine;

use come_and_go::{remember, remembering, texts_come_and_go};
use engine::block_pool::BlockPool;
use engine::block_table::BlockTable;
use engine::cache::KvType;
use engine::context::common_beginning;

#[path = "../../../tests/shared/come_and_go.rs"]
mod come_and_go;

type Text = (Vec<u32>, BlockTable);

#[test]
fn each_text_reads_its_own_tokens() {
    let pool = BlockPool::new(&remembering(), KvType::F32, 14);
    let find = |texts: &[Text], ids: &[u32]| {
        let known = |(text, table): &Text| {
            common_beginning(&text[..table.length()], &ids[..ids.len() - 1])
        };
        let nearest = texts.iter().max_by_key(|text| known(text));
        let fork = nearest.map(|text| text.1.fork(known(text)));
        fork.unwrap_or_else(|| BlockTable::new(&pool))
    };
    let next = |(ids, table): &mut Text| {
        let new = &ids[table.length()..];
        table.reserve(new.len()).ok()?;
        Some(remember(new, table).expect("it is reserved"))
    };
    texts_come_and_go(find, |texts| texts.iter_mut().map(next).collect());
    assert_eq!(pool.in_use(), 0, "all blocks are back");
}
