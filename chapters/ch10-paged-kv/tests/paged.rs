//! What a model computes with a table has the bits of what it computes with one contiguous cache, at every length, in
//! every way and after whatever happened to other texts.

use ch10_paged_kv as engine;

use std::collections::HashMap;
use std::sync::Arc;

use engine::backend::Backend;
use engine::block_pool::BlockPool;
use engine::block_table::BlockTable;
use engine::cache::KvCache;
use engine::model::Model;
use models::{KV_TYPES, assert_same, contiguous, go_on, load, noise};
use test_support::tiny::TinyShape;

#[path = "../../../tests/shared/models.rs"]
mod models;

const CHUNKS: [usize; 4] = [1, 7, 64, 512];
const THREADS: [usize; 3] = [1, 2, 3];

fn ids(count: usize, seed: usize) -> Vec<u32> {
    (0..count).map(|i| ((i * 7919 + 13 + seed * 101) % 250) as u32).collect()
}

fn pool_of(model: &Model, blocks: usize) -> Arc<BlockPool> {
    BlockPool::new(&model.config, model.kv_type, blocks)
}

/// What one contiguous cache gives after each of the lengths from `first` on.
fn after_each(model: &Model, ids: &[u32], first: usize) -> Vec<Vec<f32>> {
    let mut cache = contiguous(model, ids.len());
    (first..=ids.len()).map(|end| go_on(model, &mut *cache, &ids[..end], 512)).collect()
}

/// Each of these lengths with each chunk and type; backends and threads take turns, and all pairs of them have theirs.
fn every_length(lengths: impl Iterator<Item = usize> + Clone) {
    let file = noise(TinyShape::default());
    let backends = Backend::available();
    let ids = ids(200, 0);
    let mut turn = 0;
    for kv_type in KV_TYPES {
        let expected = after_each(&load(&file, backends[0], 1, kv_type), &ids, 1);
        let ways =
            backends.iter().flat_map(|&backend| THREADS.map(|threads| (backend, threads)));
        let models: Vec<_> = ways
            .map(|(backend, threads)| {
                (
                    load(&file, backend, threads, kv_type),
                    format!("{backend:?}, {threads} threads"),
                )
            })
            .collect();
        for length in lengths.clone() {
            for chunk in CHUNKS {
                let (model, way) = &models[turn % models.len()];
                turn += 1;
                let pool = pool_of(model, length.div_ceil(64));
                let mut table = BlockTable::new(&pool);
                let found = go_on(model, &mut table, &ids[..length], chunk);
                let what = format!("{kv_type:?}, {way}, {length} in chunks of {chunk}");
                assert_same(&found, &expected[length - 1], &what);
                assert_eq!(pool.in_use(), length.div_ceil(64), "{what}");
            }
        }
    }
}

#[test]
fn lengths_around_blocks_give_the_same_bits() {
    every_length([1, 2, 7, 63, 64, 65, 127, 128, 129, 192, 193].into_iter());
}

#[test]
#[ignore = "cargo prove: every length to 200"]
fn every_length_gives_the_same_bits() {
    every_length(1..=200);
}

/// A table and the tokens whose rows it has.
struct Text(BlockTable, Vec<u32>);

/// What may happen to two tables of which one was forked from the other.
#[derive(Clone, Copy, Debug)]
enum Happens {
    ForkGoesOn,
    FirstGoesOn,
    FirstIsCut,
    ForkIsCut,
}

fn orders(of: &[Happens]) -> Vec<Vec<Happens>> {
    if of.is_empty() {
        return vec![Vec::new()];
    }
    let with_first = |index: usize| {
        let mut rest = of.to_vec();
        let first = rest.remove(index);
        orders(&rest).into_iter().map(move |rest| [vec![first], rest].concat())
    };
    (0..of.len()).flat_map(with_first).collect()
}

#[test]
fn after_forks_and_cuts_in_every_order_the_bits_are_the_same() {
    use Happens::{FirstGoesOn, FirstIsCut, ForkGoesOn, ForkIsCut};
    let file = noise(TinyShape::default());
    let fastest = *Backend::available().last().expect("one is always there");
    for kv_type in KV_TYPES {
        let model = load(&file, fastest, 1, kv_type);
        let mut known: HashMap<Vec<u32>, Vec<f32>> = HashMap::new();
        let mut expected = |ids: &[u32]| {
            let anew = || after_each(&model, ids, ids.len()).remove(0);
            known.entry(ids.to_vec()).or_insert_with(anew).clone()
        };
        for at in [1, 63, 64, 65, 100, 128] {
            for order in orders(&[ForkGoesOn, FirstGoesOn, FirstIsCut, ForkIsCut]) {
                let pool = pool_of(&model, 12);
                let mut first = Text(BlockTable::new(&pool), ids(130, 2));
                go_on(&model, &mut first.0, &first.1, 512);
                let mut fork = Text(first.0.fork(at), first.1[..at].to_vec());
                for (step, happens) in order.iter().enumerate() {
                    let (text, cut) = match happens {
                        ForkGoesOn => (&mut fork, false),
                        FirstGoesOn => (&mut first, false),
                        FirstIsCut => (&mut first, true),
                        ForkIsCut => (&mut fork, true),
                    };
                    if cut {
                        let length = text.1.len() - text.1.len() / 3;
                        text.0.truncate(length);
                        text.1.truncate(length);
                    } else {
                        text.1.extend(ids(70, 3 + step));
                        go_on(&model, &mut text.0, &text.1, 64);
                    }
                    for (name, Text(table, ids)) in [("the first", &first), ("its fork", &fork)]
                    {
                        let what = format!(
                            "{kv_type:?}, fork at {at}, {order:?}, step {step}, {name}"
                        );
                        // Its last token once more, in a fork that goes again.
                        let mut again = table.fork(ids.len() - 1);
                        let found = go_on(&model, &mut again, ids, 64);
                        assert_same(&found, &expected(ids), &what);
                    }
                }
                drop((first, fork));
                assert_eq!(pool.in_use(), 0, "every block is given back");
            }
        }
    }
}

/// A pass that ends before its last layer leaves nothing that a later one would see.
#[test]
fn a_pass_that_ended_early_changes_nothing() {
    let file = noise(TinyShape::default());
    for kv_type in KV_TYPES {
        let model = load(&file, Backend::available()[0], 1, kv_type);
        let ids = ids(150, 4);
        let expected = after_each(&model, &ids, 150).remove(0);
        for at in [1, 60, 64, 100] {
            let pool = pool_of(&model, 4);
            let mut table = BlockTable::new(&pool);
            go_on(&model, &mut table, &ids[..at], 64);
            let mut fork = table.fork(at);
            // Other tokens, and nobody wants them.
            let ended = model.forward(&[9; 80], at, Some(&mut fork), &mut |_| false);
            assert_eq!(ended, Ok(None));
            drop(fork);
            let ended = model.forward(&[8; 60], at, Some(&mut table), &mut |_| false);
            assert_eq!((ended, table.length()), (Ok(None), at));
            let found = go_on(&model, &mut table, &ids, 64);
            assert_same(&found, &expected, &format!("{kv_type:?}, ended at {at}"));
        }
    }
}
