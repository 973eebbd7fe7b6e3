//! Whatever a batch consists of, each of its texts gets what it would get alone: every logit and every state, to the bit.
//! `batch::forward` is called here, and with it `ch12_batching::attend::attention`.

use ch12_batching as engine;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use engine::backend::Backend;
use engine::batch::forward;
use engine::batch_item::BatchItem;
use engine::block_pool::BlockPool;
use engine::block_table::BlockTable;
use engine::cache::{CacheError, KvCache, KvType};
use engine::model::Model;
use ground::random::SplitMix64;
use ground::states;
use models::{KV_TYPES, assert_same, contiguous, load, noise};
use test_support::tiny::TinyShape;

#[path = "../../../tests/shared/models.rs"]
mod models;

/// A text in batches, and the same text in a cache that never meets another.
struct Text {
    ids: Vec<u32>,
    table: BlockTable,
    alone: Box<dyn KvCache>,
}

impl Text {
    fn new(model: &Model, pool: &Arc<BlockPool>) -> Text {
        Text { ids: Vec::new(), table: BlockTable::new(pool), alone: contiguous(model, 512) }
    }

    /// Alone, on the way of chapter 8: all states of its last rows, and the logits after them.
    fn alone(&mut self, model: &Model, from: usize) -> (states::States, Vec<f32>) {
        states::start();
        let alone = Some(&mut *self.alone as _);
        let logits = model.forward(&self.ids[from..], from, alone, &mut |_| true);
        let states = states::take().expect("it was started");
        (states, logits.expect("there is room").expect("nothing ends it"))
    }
}

/// Some steps of some texts: in each, those that take part and how many tokens they bring are drawn.
fn mixed(model: &Model, texts: usize, steps: usize, seed: u64, way: &str) {
    let mut random = SplitMix64::new(seed);
    let pool = BlockPool::new(&model.config, model.kv_type, 8 * texts);
    let mut texts: Vec<Text> = (0..texts).map(|_| Text::new(model, &pool)).collect();
    let mut together = 0;
    for step in 0..steps {
        let mut taking: Vec<(&mut Text, usize, bool)> = Vec::new();
        for text in &mut texts {
            // Most bring one token; some a few, or enough for several blocks of queries; some none.
            let count = match random.below(8) {
                0 => 0,
                1 => 2 + random.below(14),
                2 => 40 + random.below(70),
                _ => 1,
            };
            if count == 0 || text.ids.len() + count > 512 {
                continue;
            }
            let from = text.ids.len();
            text.ids.extend((0..count).map(|_| random.below(model.config.vocab) as u32));
            taking.push((text, from, random.below(4) > 0));
        }
        together = together.max(taking.len());
        states::start();
        let items = taking.iter_mut();
        let items = items.map(|(text, from, wants)| {
            BatchItem::new(&text.ids[*from..], &mut text.table, *wants)
        });
        let all = forward(model, &mut items.collect::<Vec<_>>());
        let seen = states::take_all().expect("it was started");
        assert_eq!(all.len(), taking.len(), "{way}: an answer for each");
        for (index, ((text, from, wants), found)) in taking.into_iter().zip(all).enumerate() {
            let what = format!("{way}, seed {seed}, step {step}, text {index}");
            let (states, expected) = text.alone(model, from);
            for (stage, (expected, found)) in states.iter().zip(&seen[&index]).enumerate() {
                assert_eq!(found.len(), text.ids.len(), "{what}, stage {stage}: positions");
                for (position, (expected, found)) in
                    expected.iter().zip(found).enumerate().skip(from)
                {
                    assert_same(
                        found,
                        expected,
                        &format!("{what}, stage {stage}, position {position}"),
                    );
                }
            }
            let found = found.expect("there is room");
            assert_eq!(found.is_some(), wants, "{what}: only wanted logits");
            if let Some(found) = found {
                assert_same(&found, &expected, &what);
            }
        }
    }
    assert!(together > 1, "{way}: nobody was together with anybody");
}

/// Each backend with each count of threads and both types of cache; shapes and seeds take turns.
fn every_way(steps: usize) {
    // Heads that share keys by two and by three, and a width that isn't in whole sixteens.
    let shapes = [
        TinyShape::default(),
        TinyShape { heads: 12, kv_heads: 4, head_dim: 24, layers: 1, ..TinyShape::default() },
    ];
    let files = shapes.map(noise);
    let mut seed = 0;
    for backend in Backend::available() {
        for threads in [1, 2, 3] {
            for kv_type in KV_TYPES {
                seed += 1;
                let model = load(&files[seed % 2], backend, threads, kv_type);
                let way = format!("{backend:?}, {threads} threads, {kv_type:?}");
                mixed(&model, 2 + seed % 5, steps, seed as u64, &way);
            }
        }
    }
}

#[test]
fn every_text_of_a_batch_gets_what_it_gets_alone() {
    every_way(6);
}

#[test]
#[ignore = "cargo prove: many more steps"]
fn every_text_gets_what_it_gets_alone_for_long() {
    every_way(60);
}

#[test]
fn a_text_without_room_is_refused_and_the_others_are_not() {
    let file = noise(TinyShape::default());
    let model = load(&file, Backend::available()[0], 1, KvType::F16);
    let (wide, narrow) = (
        BlockPool::new(&model.config, KvType::F16, 4),
        BlockPool::new(&model.config, KvType::F16, 1),
    );
    let mut texts = [&wide, &narrow, &wide].map(|pool| Text::new(&model, pool));
    for (text, count) in texts.iter_mut().zip([3, 65, 70]) {
        text.ids = (0..count).map(|id| (id * 7 % 250) as u32).collect();
    }
    let items = texts.iter_mut().map(|text| BatchItem::new(&text.ids, &mut text.table, true));
    let all = forward(&model, &mut items.collect::<Vec<_>>());
    assert_eq!(all[1], Err(CacheError::Full { length: 0, rows: 65, capacity: 64 }));
    assert_eq!((texts[1].table.length(), narrow.in_use()), (0, 0), "it left something behind");
    for index in [0, 2] {
        let (_, expected) = texts[index].alone(&model, 0);
        let found = all[index].clone().expect("there is room").expect("they are wanted");
        assert_same(&found, &expected, &format!("text {index}"));
    }
}

/// Otherwise each pass would get new memory from the system, and for logits that's much.
#[test]
fn a_pass_puts_back_what_it_takes() {
    let file = noise(TinyShape::default());
    let model = load(&file, Backend::available()[0], 1, KvType::F16);
    let large = 1 << 16; // a new buffer would have no more than what was asked for
    (0..30).for_each(|_| model.compute.buffers.put_many(vec![0.0; large + 1]));
    let pool = BlockPool::new(&model.config, KvType::F16, 1);
    let mut table = BlockTable::new(&pool);
    assert!(forward(&model, &mut [BatchItem::new(&[1, 2], &mut table, true)])[0].is_ok());
    let taken = (0..30).map(|_| model.compute.buffers.take_many(large));
    assert_eq!(taken.filter(|buffer| buffer.capacity() > large).count(), 30);
}

#[test]
fn a_batch_of_none_computes_nothing() {
    let file = noise(TinyShape::default());
    let model = load(&file, Backend::available()[0], 1, KvType::F16);
    assert!(forward(&model, &mut []).is_empty());
}

/// What is too large for sixteen bits is noticed in the first layer, which others follow, or in the second, when the first
/// has its rows already.
#[test]
fn a_text_with_too_large_a_number_is_refused_and_the_others_are_not() {
    too_large_in(0);
    too_large_in(1);
}

fn too_large_in(layer: usize) {
    let file = noise(TinyShape::default());
    let mut model = load(&file, Backend::available()[0], 2, KvType::F16);
    let pool = BlockPool::new(&model.config, KvType::F16, 4);
    let is_too_large = |model: &Model, id: &u32| {
        let mut text = Text::new(model, &pool);
        let item = BatchItem::new(std::slice::from_ref(id), &mut text.table, true);
        matches!(forward(model, &mut [item])[0], Err(CacheError::TooLarge { position: 0 }))
    };
    // As large as it takes for some tokens and not for others.
    let (large, small) = loop {
        model.weights.layers[layer].attn_norm *= 1.1;
        let (large, small) = (0..25).partition::<Vec<u32>, _>(|id| is_too_large(&model, id));
        if !large.is_empty() {
            break (large, small);
        }
    };
    assert!(small.len() > 2 && pool.in_use() == 0, "{} are too large", large.len());
    let mut texts = [(); 3].map(|()| Text::new(&model, &pool));
    for (text, id) in texts.iter_mut().zip([small[0], large[0], small[1]]) {
        text.ids = vec![id];
    }
    let items = texts.iter_mut().map(|text| BatchItem::new(&text.ids, &mut text.table, true));
    let all = forward(&model, &mut items.collect::<Vec<_>>());
    assert_eq!(all[1], Err(CacheError::TooLarge { position: 0 }));
    assert_eq!(texts[1].table.length(), 0, "a row of what was refused");
    // The refused one goes on with another token.
    texts[1].ids = vec![small[2]];
    let item = BatchItem::new(&texts[1].ids, &mut texts[1].table, true);
    let again = forward(&model, &mut [item]).remove(0);
    for (index, found) in [&all[0], &again, &all[2]].into_iter().enumerate() {
        let (_, expected) = texts[index].alone(&model, 0);
        let found = found.clone().expect("it is small").expect("it is wanted");
        assert_same(&found, &expected, &format!("text {index}"));
    }
}

/// A pass may panic anywhere. The rows that it has written by then are written again by the next one.
#[test]
fn a_pass_that_breaks_leaves_every_text_as_it_was() {
    let file = noise(TinyShape::default());
    let load = || load(&file, Backend::available()[0], 1, KvType::F16);
    let model = load();
    // Who is wrong without any of it is to read that first, and no panic.
    mixed(&model, 2, 6, 1, "before anything breaks");
    let (mut in_a_layer, mut at_the_head) = (load(), load());
    in_a_layer.weights.layers.pop();
    at_the_head.weights.final_norm = vec![1.0; 3].into();
    let pool = BlockPool::new(&model.config, KvType::F16, 8);
    let mut texts = [(); 2].map(|()| Text::new(&model, &pool));
    for (step, count) in [1, 62, 3, 1].into_iter().enumerate() {
        let from = texts[0].ids.len();
        for (index, text) in texts.iter_mut().enumerate() {
            text.ids.extend((from..from + count).map(|id| ((id * 7 + index) % 250) as u32));
        }
        let mut forward = |model: &Model| {
            let items = texts.iter_mut();
            let items =
                items.map(|text| BatchItem::new(&text.ids[from..], &mut text.table, true));
            forward(model, &mut items.collect::<Vec<_>>())
        };
        for broken in [&in_a_layer, &at_the_head] {
            let broken = catch_unwind(AssertUnwindSafe(|| forward(broken)));
            assert!(broken.is_err(), "it was to panic");
        }
        let all = forward(&model);
        for (index, found) in all.into_iter().enumerate() {
            let (_, expected) = texts[index].alone(&model, from);
            let found = found.expect("there is room").expect("it is wanted");
            assert_same(&found, &expected, &format!("step {step}, text {index}"));
        }
    }
}
