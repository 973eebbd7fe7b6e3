//! Tables in a small pool, beside plain lists of rows: whatever happens to texts that share blocks, each keeps its own
//! rows, and the pool knows how many blocks there are.

use std::collections::HashMap;
use std::sync::Arc;

use ch10_paged_kv::block_pool::BlockPool;
use ch10_paged_kv::block_table::BlockTable;
use ch10_paged_kv::cache::{CacheError, KvCache, KvType, Rows};
use ch10_paged_kv::kernels::BLOCK_SIZE;
use ch10_paged_kv::pool_map::pool_map;
use ground::config::Config;
use ndarray::Array2;
use proptest::prelude::*;
use test_support::qwen3_0_6b;

const LAYERS: usize = 2;
const HEADS: usize = 2;

/// A table, and for each of its rows a number from which all that it holds can be computed.
type Text = (BlockTable, Vec<u32>);

#[derive(Clone, Debug)]
enum Move {
    New,
    /// So many rows into so many layers: unless these are all, the pass ends early. Perhaps the last number is too large.
    Append {
        table: usize,
        rows: usize,
        layers: usize,
        too_large: bool,
    },
    Truncate {
        table: usize,
        to: usize,
    },
    Fork {
        table: usize,
        at: usize,
    },
    Drop {
        table: usize,
    },
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let rows = prop::sample::select(vec![1, 1, 2, 5, 40, 63, 64, 65, 130]);
    let layers =
        prop::sample::select(vec![1, 2, LAYERS + 1, LAYERS + 1, LAYERS + 1, LAYERS + 1]);
    let table = 0..100usize;
    let append = (table.clone(), rows, layers, 0..12);
    let one = prop_oneof![
        1 => Just(Move::New),
        8 => append.prop_map(|(table, rows, layers, odds)| {
            Move::Append { table, rows, layers, too_large: odds == 0 }
        }),
        2 => (table.clone(), 0..300usize).prop_map(|(table, to)| Move::Truncate { table, to }),
        3 => (table.clone(), 0..300usize).prop_map(|(table, at)| Move::Fork { table, at }),
        1 => table.prop_map(|table| Move::Drop { table }),
    ];
    prop::collection::vec(one, 1..40)
}

/// A number of a row: one that sixteen bits have, too.
fn number(row: u32, layer: usize, part: usize, column: usize) -> f32 {
    let place = (layer * 2 + part) * 64 + column;
    let mixed = (row.wrapping_mul(0x9e37_79b9) ^ place as u32).wrapping_mul(0x85eb_ca6b);
    (mixed >> 21) as f32 / 32.0
}

/// These rows of a layer: keys and values.
fn rows(ids: &[u32], layer: usize, width: usize) -> [Array2<f32>; 2] {
    [0, 1].map(|part| {
        Array2::from_shape_fn((ids.len(), width), |(row, column)| {
            number(ids[row], layer, part, column)
        })
    })
}

fn pool_of(kv_type: KvType, head_dim: usize, blocks: usize) -> Arc<BlockPool> {
    let config = Config { layers: LAYERS, kv_heads: HEADS, head_dim, ..qwen3_0_6b() };
    BlockPool::new(&config, kv_type, blocks)
}

/// Writes rows as a pass does, and lets them count.
fn append(table: &mut BlockTable, ids: &[u32]) -> Result<(), CacheError> {
    let width = table.shape().width;
    for layer in 0..LAYERS {
        let [k, v] = rows(ids, layer, width);
        table.write(layer, (k.view(), v.view()))?;
    }
    table.advance(ids.len());
    Ok(())
}

fn assert_rows((table, ids): &Text, what: &str) {
    let shape = table.shape();
    assert_eq!((shape.length, table.length()), (ids.len(), ids.len()), "{what}: the length");
    for layer in 0..LAYERS {
        for (index, ids) in ids.chunks(BLOCK_SIZE).enumerate() {
            let block = table.block(layer, index).expect("it is written");
            let found = block.rows(ids.len(), HEADS, shape.head_dim);
            for (part, found) in found.into_iter().enumerate() {
                for ((row, column), found) in found.indexed_iter() {
                    let expected = number(ids[row], layer, part, column);
                    let row = index * BLOCK_SIZE + row;
                    assert!(
                        *found == expected,
                        "{what}: layer {layer}, {}, row {row}, column {column}: found {found}, expected {expected}",
                        ["keys", "values"][part],
                    );
                }
            }
        }
    }
}

/// Where the numbers of its blocks lie. Those that a pass that ended early has taken have nothing to show yet.
fn places(table: &BlockTable) -> Vec<usize> {
    (0..table.length().div_ceil(BLOCK_SIZE))
        .map(|index| table.block(0, index).expect("it is written").keys.as_ptr().addr())
        .collect()
}

/// How many blocks it has, by the memory that they take: nobody else's count.
fn blocks(table: &BlockTable) -> usize {
    let shape = table.shape();
    let row = HEADS * shape.kv_type.row_bytes(shape.head_dim);
    let block = LAYERS * 2 * BLOCK_SIZE * row;
    assert_eq!(shape.memory_bytes % block, 0, "whole blocks");
    shape.memory_bytes / block
}

/// In how many tables each block is that rows count in, by its place; and how many more blocks have been taken.
fn live(texts: &[Text]) -> (HashMap<usize, usize>, usize) {
    let (mut seen, mut more) = (HashMap::new(), 0);
    for (table, _) in texts {
        let places = places(table);
        more += blocks(table) - places.len();
        places.into_iter().for_each(|place| *seen.entry(place).or_default() += 1);
    }
    (seen, more)
}

/// What is true at all times.
fn assert_all(pool: &BlockPool, texts: &[Text], what: &str) {
    let (seen, more) = live(texts);
    assert_eq!(pool.in_use(), seen.len() + more, "{what}: blocks in use");
    assert!(pool.in_use() <= pool.blocks, "{what}: more blocks than there are");
    for (index, text) in texts.iter().enumerate() {
        assert_rows(text, &format!("{what}: table {index}"));
        let alone = places(&text.0).iter().filter(|place| seen[place] == 1).count();
        let more = blocks(&text.0) - places(&text.0).len();
        assert_eq!(text.0.own(), alone + more, "{what}: what only table {index} has");
    }
}

fn happens(kv_type: KvType, head_dim: usize, count: usize, moves: &[Move]) {
    let pool = pool_of(kv_type, head_dim, count);
    let mut texts: Vec<Text> = vec![(BlockTable::new(&pool), Vec::new())];
    let mut ids = 0..;
    for (step, a_move) in moves.iter().enumerate() {
        let what = format!("step {step}, {a_move:?}");
        let count = texts.len().max(1);
        let which = |table: usize| table % count;
        match *a_move {
            Move::New => texts.push((BlockTable::new(&pool), Vec::new())),
            _ if texts.is_empty() => {}
            Move::Drop { table } => drop(texts.swap_remove(which(table))),
            Move::Truncate { table, to } => {
                let (table, ids) = &mut texts[which(table)];
                table.truncate(to);
                ids.truncate(to);
                let kept = ids.len().div_ceil(BLOCK_SIZE);
                assert_eq!(blocks(table), kept, "{what}: no block without rows");
            }
            Move::Fork { table, at } => {
                let (table, ids) = &texts[which(table)];
                let (at, before) = (at.min(ids.len()), pool.in_use());
                let fork = (table.fork(at), ids[..at].to_vec());
                assert_eq!(pool.in_use(), before, "{what}: nothing is copied yet");
                assert_eq!(places(&fork.0), places(table)[..at.div_ceil(BLOCK_SIZE)], "{what}");
                // Of a block that goes on in the other it shows its own part.
                assert!(fork.0.block(0, at.div_ceil(BLOCK_SIZE)).is_err(), "{what}");
                if at > 0 {
                    let last = fork.0.block(1, (at - 1) / BLOCK_SIZE).expect("it is written");
                    assert_eq!(last.rows, (at - 1) % BLOCK_SIZE + 1, "{what}");
                }
                texts.push(fork);
            }
            Move::Append { table, rows: count, layers, too_large } => {
                let (index, before, (seen, _)) = (which(table), pool.in_use(), live(&texts));
                let (table, known) = &mut texts[index];
                let (length, width) = (known.len(), table.shape().width);
                // A block that was begun and that others see is copied; then come new ones.
                let begun = places(table)
                    .last()
                    .filter(|_| !length.is_multiple_of(BLOCK_SIZE))
                    .copied();
                let copied = usize::from(begun.is_some_and(|place| seen[&place] > 1));
                let new = (length + count).div_ceil(BLOCK_SIZE).saturating_sub(blocks(table));
                let fits = copied + new <= pool.blocks - before;
                let new_ids: Vec<u32> = ids.by_ref().take(count).collect();
                let too_large = too_large && kv_type == KvType::F16;
                let mut written = Ok(());
                for layer in 0..layers.min(LAYERS) {
                    let [k, mut v] = rows(&new_ids, layer, width);
                    if too_large {
                        v[[count - 1, width - 1]] = 1e6;
                    }
                    written = table.write(layer, (k.view(), v.view()));
                    if written.is_err() {
                        break;
                    }
                    let last = table.block(layer, (length + count - 1) / BLOCK_SIZE);
                    let rows = (length + count - 1) % BLOCK_SIZE + 1;
                    assert_eq!(last.expect("just written").rows, rows, "{what}: seen at once");
                }
                match written {
                    Err(CacheError::Full { length: at, rows, capacity }) => {
                        assert!(!fits, "{what}: {before} of {} in use", pool.blocks);
                        assert_eq!((at, rows), (length, count), "{what}");
                        let free = blocks(table) + pool.blocks - before;
                        assert_eq!(capacity, free * BLOCK_SIZE, "{what}");
                        assert_eq!(
                            pool.in_use(),
                            before,
                            "{what}: refused, and nothing is taken"
                        );
                    }
                    _ if !fits => {
                        panic!("{what}: {before} of {} in use, {written:?}", pool.blocks)
                    }
                    Err(CacheError::TooLarge { position }) if too_large => {
                        assert_eq!(position, length + count - 1, "{what}");
                    }
                    Err(error) => panic!("{what}: {error}"),
                    Ok(()) => {
                        assert!(!too_large, "{what}: an infinity was kept");
                        assert_eq!(pool.in_use(), before + copied + new, "{what}");
                        if layers > LAYERS {
                            table.advance(count);
                            known.extend(new_ids);
                        }
                    }
                }
            }
        }
        assert_all(&pool, &texts, &what);
    }
    // One after the other goes, and takes nothing from those that stay.
    while !texts.is_empty() {
        drop(texts.swap_remove(texts.len() / 2));
        assert_all(&pool, &texts, "at the end");
    }
    assert_eq!(pool.in_use(), 0, "all are gone");
}

fn any_moves(cases: u32) {
    let kv_types = prop::sample::select(vec![KvType::F32, KvType::F16]);
    let head_dims = prop::sample::select(vec![16, 5]);
    let config =
        ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(cases) };
    proptest!(config, |(kv_type in kv_types, head_dim in head_dims, count in 1usize..8, moves in moves())| {
        happens(kv_type, head_dim, count, &moves);
    });
}

#[test]
fn tables_are_lists_of_rows_whatever_happens() {
    any_moves(60);
}

#[test]
#[ignore = "cargo prove: a thousand histories"]
fn tables_are_lists_of_rows_in_many_histories() {
    any_moves(1000);
}

/// What chance rarely comes to, step by step.
#[test]
fn two_that_begin_alike_and_part() {
    for kv_type in [KvType::F32, KvType::F16] {
        for at in [0, 1, 63, 64, 65, 127, 128, 130] {
            let pool = pool_of(kv_type, 16, 9);
            let mut texts = vec![(BlockTable::new(&pool), (0..130).collect::<Vec<u32>>())];
            let (table, ids) = &mut texts[0];
            append(table, ids).expect("there is room");
            assert_eq!((pool.in_use(), table.own()), (3, 3));
            // Two forks, so that the last one to write is alone with what the first had.
            for new in [1000, 2000] {
                let fork = (texts[0].0.fork(at), texts[0].1[..at].to_vec());
                texts.push(fork);
                let last = texts.len() - 1;
                let (table, ids) = &mut texts[last];
                let more: Vec<u32> = (new..new + 70).collect();
                append(table, &more).expect("there is room");
                ids.extend(more);
                assert_all(&pool, &texts, &format!("a fork at {at}"));
            }
            let (table, ids) = &mut texts[0];
            table.truncate(at);
            ids.truncate(at);
            assert_all(&pool, &texts, &format!("truncated to {at}"));
            // Its forks go, and what they saw of its block isn't theirs to keep.
            texts.truncate(1);
            let (table, ids) = &mut texts[0];
            append(table, &[7, 8]).expect("there is room");
            ids.extend([7, 8]);
            assert_all(&pool, &texts, &format!("alone after {at}"));
            assert_eq!(pool.in_use(), (at + 2).div_ceil(BLOCK_SIZE));
        }
    }
}

/// Room for some is not taken by one that needs more.
#[test]
fn a_full_room_refuses_one_and_has_room_for_another() {
    let pool = pool_of(KvType::F16, 16, 4);
    let mut texts = vec![(BlockTable::new(&pool), (0..60).collect::<Vec<u32>>())];
    let (table, ids) = &mut texts[0];
    append(table, ids).expect("there is room");
    let mut large = BlockTable::new(&pool);
    let many: Vec<u32> = (0..200).collect();
    let full = CacheError::Full { length: 0, rows: 200, capacity: 3 * BLOCK_SIZE };
    assert_eq!(append(&mut large, &many), Err(full));
    assert_eq!(pool.in_use(), 1, "what was refused has taken nothing");
    append(&mut texts[0].0, &[900; 196]).expect("there are three blocks");
    texts[0].1.extend([900; 196]);
    assert_all(&pool, &texts, "the one with room");
    // A block that others see has to be copied, and there is none.
    let fork = (texts[0].0.fork(10), texts[0].1[..10].to_vec());
    texts.push(fork);
    let full = CacheError::Full { length: 10, rows: 1, capacity: BLOCK_SIZE };
    assert_eq!(append(&mut texts[1].0, &[1]), Err(full));
    assert_all(&pool, &texts, "refused");
    texts.swap_remove(0);
    append(&mut texts[0].0, &[1]).expect("nobody else sees it any more");
    texts[0].1.push(1);
    assert_all(&pool, &texts, "alone");
    assert_eq!(pool.in_use(), 1);
}

/// Where the number is that sixteen bits don't have, in the text and not in its block.
#[test]
fn what_is_too_large_is_told_by_its_position_in_the_text() {
    let pool = pool_of(KvType::F16, 16, 4);
    let mut table = BlockTable::new(&pool);
    append(&mut table, &(0..70).collect::<Vec<u32>>()).expect("there is room");
    for row in [0, 57, 58, 99] {
        let [k, mut v] = rows(&[5; 100], 0, table.shape().width);
        v[[row, 3]] = 1e6;
        let refused: Rows = (k.view(), v.view());
        let position = 70 + row;
        assert_eq!(table.write(0, refused), Err(CacheError::TooLarge { position }));
        assert!(table.block(0, 2).is_err(), "rows of a pass that failed count");
    }
}

#[test]
fn the_map_shows_who_has_what() {
    let pool = pool_of(KvType::F16, 16, 6);
    let mut first = BlockTable::new(&pool);
    append(&mut first, &(0..130).collect::<Vec<u32>>()).expect("there is room");
    let fork = first.fork(64);
    let shown = |texts: &[(char, &BlockTable)]| pool_map(&pool, texts.iter().copied());
    assert_eq!(shown(&[('a', &first), ('b', &fork)]), "*aa... 3 of 6 blocks");
    drop(fork);
    assert_eq!(shown(&[('a', &first)]), "aaa... 3 of 6 blocks");
    // A large pool is shown in parts.
    let pool = pool_of(KvType::F16, 16, 128);
    let mut large = BlockTable::new(&pool);
    append(&mut large, &[1; 64 * 64]).expect("there is room");
    let expected = format!("{}{} 64 of 128 blocks", "c".repeat(32), ".".repeat(32));
    assert_eq!(pool_map(&pool, [('c', &large)].into_iter()), expected);
}
