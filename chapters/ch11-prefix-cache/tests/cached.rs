//! Whatever a tree holds, the logits of a text that begins with what was found there have the bits that they have without a
//! tree: after any history of other texts, in rooms where old ones have to go, and for answers as for prompts.

use ch11_prefix_cache as engine;

use std::num::NonZeroUsize;
use std::sync::Arc;

use engine::backend::Backend;
use engine::block_pool::BlockPool;
use engine::block_table::BlockTable;
use engine::cache::KvCache;
use engine::kernels::BLOCK_SIZE;
use engine::model::Model;
use engine::prefix_cache::PrefixCache;
use ground::random::SplitMix64;
use models::{KV_TYPES, assert_same, contiguous, go_on, load, noise};
use test_support::tiny::TinyShape;

#[path = "../../../tests/shared/models.rs"]
mod models;

/// A text that is being read or written, and a cache that has never seen another.
struct Text {
    owner: usize,
    ids: Vec<u32>,
    table: BlockTable,
    alone: Box<dyn KvCache>,
}

/// Room for what a text has no rows of, as the engine makes it.
fn reserve(prefix_cache: &mut PrefixCache, text: &mut Text) -> bool {
    let new = text.ids.len() - text.table.length();
    while text.table.reserve(new).is_err() {
        if !prefix_cache.evict(text.table.lacks(new)) {
            return false;
        }
    }
    true
}

/// What became of a history: tokens found, blocks forgotten, texts that had no room.
#[derive(Default, Debug)]
struct Seen {
    found: usize,
    in_the_middle: usize, // hits that end inside a block
    full: usize,
    evicted: bool,
}

/// Some texts that take turns, each with a beginning that others have too.
fn history(model: &Model, blocks: usize, steps: usize, seed: u64) -> Seen {
    let mut random = SplitMix64::new(seed);
    let pool = BlockPool::new(&model.config, model.kv_type, blocks);
    let mut prefix_cache = PrefixCache::new(&pool, 2);
    let vocab = model.config.vocab;
    let mut known: Vec<Vec<u32>> = vec![Vec::new()];
    let mut texts: Vec<Text> = Vec::new();
    let mut seen = Seen::default();
    for step in 0..steps {
        let what = format!("seed {seed}, step {step}, {:?}, {blocks} blocks", model.kv_type);
        let which = random.below(texts.len() + 1);
        if which == texts.len() && texts.len() < 4 {
            // As an earlier text begins, and then something else.
            let mut ids = known[random.below(known.len())].clone();
            ids.truncate(random.below(ids.len() + 30));
            let count = 1 + random.below(90).saturating_sub(30);
            ids.extend((0..count).map(|_| random.below(vocab) as u32));
            ids.truncate(250);
            let owner = usize::from(random.below(5) == 0);
            let table = prefix_cache.match_prefix(owner, &ids[..ids.len() - 1]);
            seen.found += table.length();
            seen.in_the_middle += usize::from(!table.length().is_multiple_of(BLOCK_SIZE));
            texts.push(Text { owner, ids, table, alone: contiguous(model, 512) });
        } else if which == texts.len() || random.below(8) == 0 {
            // One ends.
            let mut text = texts.swap_remove(random.below(texts.len()));
            prefix_cache.insert(text.owner, &text.ids, &mut text.table);
            known.push(text.ids);
            continue;
        } else {
            texts[which].ids.push(random.below(vocab) as u32);
        }
        let text = &mut texts[which];
        if text.ids.len() > 300 || !reserve(&mut prefix_cache, text) {
            seen.full += 1;
            known.push(texts.swap_remove(which).ids);
            continue;
        }
        let chunk = [1, 7, 64, 512][random.below(4)];
        let found = go_on(model, &mut text.table, &text.ids, chunk);
        let expected = go_on(model, &mut *text.alone, &text.ids, 512);
        assert_same(&found, &expected, &what);
        if random.below(3) > 0 {
            prefix_cache.insert(text.owner, &text.ids, &mut text.table);
        }
        assert!(pool.in_use() <= pool.blocks, "{what}: more blocks than there are");
        seen.evicted |= pool.in_use() == pool.blocks;
    }
    drop((prefix_cache, texts));
    assert_eq!(pool.in_use(), 0, "all are gone");
    seen
}

fn histories(count: u64, steps: usize) {
    let file = noise(TinyShape::default());
    for kv_type in KV_TYPES {
        let model = load(&file, Backend::choose("auto").expect("one"), 1, kv_type);
        let mut all = Seen::default();
        for seed in 0..count {
            let blocks = [200, 16, 9, 5, 4][seed as usize % 5];
            let seen = history(&model, blocks, steps, seed);
            all.found += seen.found;
            all.in_the_middle += seen.in_the_middle;
            all.full += seen.full;
            all.evicted |= seen.evicted;
        }
        println!("{kv_type:?}: {all:?}");
        let count = count as usize;
        assert!(all.found > 100 * count && all.in_the_middle > count, "{all:?}");
        assert!(all.full > 0 && all.evicted, "{all:?}");
    }
}

#[test]
fn logits_are_the_same_whatever_the_tree_holds() {
    histories(15, 80);
}

#[test]
#[ignore = "cargo prove: forty longer histories of each type"]
fn logits_are_the_same_after_long_histories() {
    histories(40, 200);
}

/// A pass that ends early leaves half a chunk in a block that others may find. Nobody reads it.
#[test]
fn an_interrupted_prompt_leaves_whole_chunks_and_no_more() {
    let file = noise(TinyShape::default());
    for kv_type in KV_TYPES {
        let model = load(&file, Backend::choose("auto").expect("one"), 1, kv_type);
        let ids: Vec<u32> = (0..150).map(|i| (i * 37 + 11) % 250).collect();
        let expected = go_on(&model, &mut *contiguous(&model, 512), &ids, 512);
        for (chunk, ends_at, whole) in
            [(64, 40, 0), (64, 96, 64), (40, 100, 80), (40, 140, 120)]
        {
            let pool: Arc<BlockPool> = BlockPool::new(&model.config, kv_type, 20);
            let mut prefix_cache = PrefixCache::new(&pool, 1);
            let mut table = BlockTable::new(&pool);
            let chunk = NonZeroUsize::new(chunk).expect("not 0");
            let logits =
                model.forward_in_chunks(&ids, 0, Some(&mut table), chunk, &mut |done| {
                    done < ends_at
                });
            assert!(logits.expect("there is room").is_none(), "it was to end early");
            prefix_cache.insert(0, &ids, &mut table);
            // While the first one is still there, and when it has gone.
            for _ in 0..2 {
                let mut other = prefix_cache.match_prefix(0, &ids[..149]);
                assert_eq!(other.length(), whole, "chunks of {chunk}, ended at {ends_at}");
                let found = go_on(&model, &mut other, &ids, 512);
                assert_same(&found, &expected, "what goes on from it");
                table.truncate(0);
            }
        }
    }
}
