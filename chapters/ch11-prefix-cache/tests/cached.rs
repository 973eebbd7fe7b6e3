//! Whatever a tree holds, the logits of a text that begins with what was found there have the bits that they have without a
//! tree: after any history of other texts, in rooms where old ones have to go, and for answers as for prompts.

use std::num::NonZeroUsize;
use std::sync::Arc;

use ch11_prefix_cache::backend::Backend;
use ch11_prefix_cache::cache::{KvCache, KvType, Mode};
use ch11_prefix_cache::kernels::PIECE;
use ch11_prefix_cache::model::Model;
use ch11_prefix_cache::room::Room;
use ch11_prefix_cache::table::Table;
use ch11_prefix_cache::team::Team;
use ch11_prefix_cache::tree::Tree;
use ground::config::Config;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ndarray::ArrayView2;
use test_support::parts::assert_same_bits;
use test_support::tiny::{TinyShape, tiny_gguf_of};

const KV_TYPES: [KvType; 2] = [KvType::F32, KvType::F16];

fn noise() -> Gguf {
    Gguf::from_vec(tiny_gguf_of(TinyShape::default()).to_bytes()).expect("it opens")
}

fn load(file: &Gguf, kv_type: KvType) -> Model<'_> {
    let config = Config::from_gguf(file).expect("its config is sound");
    let backend = Backend::choose("auto").expect("one");
    Model::load(file, config, Team::new(backend, 1).expect("one thread"), kv_type)
        .expect("the model loads")
}

/// The logits after the last of these tokens; those before the cache's length are known.
fn go_on(model: &Model, cache: &mut dyn KvCache, ids: &[u32], chunk: usize) -> Vec<f32> {
    let (length, chunk) = (cache.shape().length, NonZeroUsize::new(chunk).expect("not 0"));
    let new = &ids[length..];
    let logits = model.forward_in_chunks(new, length, Some(cache), chunk, &mut |_| true);
    logits.expect("there is room").expect("nothing ends it")
}

fn assert_same(found: &[f32], expected: &[f32], what: &str) {
    let row = |logits| ArrayView2::from_shape((1, expected.len()), logits).expect("a row");
    assert!(expected.iter().all(|logit| logit.is_finite()), "{what}: it says nothing");
    assert_same_bits(row(found), row(expected), what);
}

fn contiguous(model: &Model) -> Box<dyn KvCache> {
    let cache = Mode::Contiguous.cache(&model.config, model.kv_type, 512);
    cache.expect("there is memory").expect("a cache")
}

/// A text that is being read or written, and a cache that has never seen another.
struct Text {
    owner: usize,
    ids: Vec<u32>,
    table: Table,
    alone: Box<dyn KvCache>,
}

/// Room for what a text has no rows of, as the engine makes it.
fn reserve(tree: &mut Tree, text: &mut Text) -> bool {
    while text.table.reserve(text.ids.len() - text.table.length()).is_err() {
        if !tree.evict() {
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
    let room = Room::new(&model.config, model.kv_type, blocks);
    let mut tree = Tree::new(&room, 2);
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
            let table = tree.find(owner, &ids[..ids.len() - 1]);
            seen.found += table.length();
            seen.in_the_middle += usize::from(!table.length().is_multiple_of(PIECE));
            texts.push(Text { owner, ids, table, alone: contiguous(model) });
        } else if which == texts.len() || random.below(8) == 0 {
            // One ends.
            let mut text = texts.swap_remove(random.below(texts.len()));
            tree.enter(text.owner, &text.ids, &mut text.table);
            known.push(text.ids);
            continue;
        } else {
            texts[which].ids.push(random.below(vocab) as u32);
        }
        let text = &mut texts[which];
        if text.ids.len() > 300 || !reserve(&mut tree, text) {
            seen.full += 1;
            known.push(texts.swap_remove(which).ids);
            continue;
        }
        let chunk = [1, 7, 64, 512][random.below(4)];
        let found = go_on(model, &mut text.table, &text.ids, chunk);
        let expected = go_on(model, &mut *text.alone, &text.ids, 512);
        assert_same(&found, &expected, &what);
        if random.below(3) > 0 {
            tree.enter(text.owner, &text.ids, &mut text.table);
        }
        assert!(room.lent() <= room.blocks, "{what}: more blocks than there are");
        seen.evicted |= room.lent() == room.blocks;
    }
    drop((tree, texts));
    assert_eq!(room.lent(), 0, "all are gone");
    seen
}

fn histories(count: u64, steps: usize) {
    let file = noise();
    for kv_type in KV_TYPES {
        let model = load(&file, kv_type);
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
    let file = noise();
    for kv_type in KV_TYPES {
        let model = load(&file, kv_type);
        let ids: Vec<u32> = (0..150).map(|i| (i * 37 + 11) % 250).collect();
        let expected = go_on(&model, &mut *contiguous(&model), &ids, 512);
        for (chunk, ends_at, whole) in
            [(64, 40, 0), (64, 96, 64), (40, 100, 80), (40, 140, 120)]
        {
            let room: Arc<Room> = Room::new(&model.config, kv_type, 20);
            let mut tree = Tree::new(&room, 1);
            let mut table = Table::new(&room);
            let chunk = NonZeroUsize::new(chunk).expect("not 0");
            let logits =
                model.forward_in_chunks(&ids, 0, Some(&mut table), chunk, &mut |done| {
                    done < ends_at
                });
            assert!(logits.expect("there is room").is_none(), "it was to end early");
            tree.enter(0, &ids, &mut table);
            // While the first one is still there, and when it has gone.
            for _ in 0..2 {
                let mut other = tree.find(0, &ids[..149]);
                assert_eq!(other.length(), whole, "chunks of {chunk}, ended at {ends_at}");
                let found = go_on(&model, &mut other, &ids, 512);
                assert_same(&found, &expected, "what goes on from it");
                table.truncate(0);
            }
        }
    }
}

/// What was generated is found as what was read: rows that were computed one by one are the rows of a prompt.
#[test]
fn an_answer_serves_the_next_question() {
    let file = noise();
    for kv_type in KV_TYPES {
        let model = load(&file, kv_type);
        let room = Room::new(&model.config, kv_type, 20);
        let mut tree = Tree::new(&room, 1);
        let mut ids: Vec<u32> = (0..50).map(|i| (i * 31 + 7) % 250).collect();
        let mut known = 0;
        for question in 0..4 {
            let mut table = tree.find(0, &ids[..ids.len() - 1]);
            assert_eq!(table.length(), known, "question {question}");
            for _ in 0..30 {
                let logits = go_on(&model, &mut table, &ids, 64);
                let best = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
                ids.push(best.expect("a vocabulary") as u32);
            }
            tree.enter(0, &ids, &mut table);
            // The last token of an answer was never fed back, so it has no row.
            known = ids.len() - 1;
            ids.extend((0..20).map(|i| (i * 13 + question) % 250));
            let expected = go_on(&model, &mut *contiguous(&model), &ids, 512);
            let mut next = tree.find(0, &ids[..ids.len() - 1]);
            assert_same(&go_on(&model, &mut next, &ids, 512), &expected, "the next question");
        }
    }
}
