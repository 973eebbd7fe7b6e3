//! Each family on a small untrained model: the reference's logits (`lab/reference/other_families.py`), and one result whatever
//! the way. Logits are compared, never tokens: of the faults that this is for, most change no token.

use ch15_families as engine;

use std::path::PathBuf;
use std::sync::Arc;

use engine::backend::Backend;
use engine::batch::forward;
use engine::batch_item::BatchItem;
use engine::block_pool::BlockPool;
use engine::block_table::BlockTable;
use engine::cache::{KvType, Lent, Mode};
use engine::compute::ComputeContext;
use engine::family::PARTS;
use engine::layers::Layers;
use engine::model::Model;
use ground::config::Config;
use ground::dtype::StoredType;
use ground::gguf::Gguf;
use serde_json::Value;
use test_support::tiny::tiny_gguf;

const FAMILIES: [&str; 4] = ["llama3", "smollm2", "qwen2", "gemma3"];

/// Logits are some ten apart, and the reference sums in another order.
const TOLERANCE: f32 = 2e-5;

fn fixture(name: &str, ending: &str) -> PathBuf {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/fixtures/families");
    format!("{root}/{name}.{ending}").into()
}

fn open(name: &str) -> Gguf {
    Gguf::open(&fixture(name, "gguf")).expect("a fixture")
}

/// The same with Q5_0 for its matrices whose rows are whole blocks: the bytes that were there, with other scales.
fn open_in_five_bits(name: &str) -> Gguf {
    let (file, mut bytes) = (open(name), std::fs::read(fixture(name, "gguf")).expect("a file"));
    let mut changed = 0;
    for place in file.places() {
        if place.stored != StoredType::F16 || !place.columns.is_multiple_of(32) {
            continue;
        }
        // The length of its name, the name, how many dimensions, two of them, its type.
        let length = (place.name.len() as u64).to_le_bytes();
        let name = [&length[..], place.name.as_bytes()].concat();
        let at = bytes.windows(name.len()).position(|part| part == name).expect("its name");
        let kind = &mut bytes[at + name.len() + 20..][..4];
        assert_eq!(*kind, [1, 0, 0, 0], "{}", place.name);
        kind[0] = 6;
        let blocks = &mut bytes[place.range.clone()][..place.rows * place.columns / 32 * 22];
        for block in blocks.as_chunks_mut::<22>().0 {
            block[..2].copy_from_slice(&[0, 0x20]); // 2^-7
        }
        changed += 1;
    }
    assert!(changed > 0, "{name}");
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-q5_0.gguf"));
    std::fs::write(&path, bytes).expect("there is room");
    Gguf::open(&path).expect("a file")
}

fn load<'a>(
    file: &'a Gguf,
    backend: &str,
    threads: usize,
    kv_type: KvType,
) -> (&'a Layers<'a>, Model<'a>) {
    let backend = Backend::choose(backend).expect("this CPU has it");
    let compute = ComputeContext::new(backend, threads).expect("threads start");
    Layers::load(file, compute, kv_type).expect("it loads")
}

/// Ids and the reference's logits after the last of them.
fn cases(name: &str) -> Vec<(Vec<u32>, Vec<f32>)> {
    let text = std::fs::read_to_string(fixture(name, "json")).expect("a fixture");
    let fixture: Value = serde_json::from_str(&text).expect("JSON");
    let case = |case: &Value| {
        let ids = serde_json::from_value(case["ids"].clone()).expect("ids");
        (ids, serde_json::from_value(case["logits"].clone()).expect("logits"))
    };
    fixture["cases"].as_array().expect("a list").iter().map(case).collect()
}

fn alone(model: &Model, ids: &[u32], position: usize, cache: Lent) -> Vec<f32> {
    model.forward(ids, position, cache, &mut |_| true).expect("there is room").expect("no end")
}

#[test]
fn logits_are_the_references() {
    for name in FAMILIES {
        let file = open(name);
        let (_, model) = load(&file, "auto", 2, KvType::F32);
        let cases = cases(name);
        assert!(cases.len() >= 8 && cases.iter().any(|(ids, _)| ids.len() >= 300), "{name}");
        for (ids, expected) in cases {
            let found = alone(&model, &ids, 0, None);
            assert_eq!(found.len(), expected.len());
            let off =
                found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
            assert!(off <= TOLERANCE, "{name}, {} tokens: off by {off}", ids.len());
        }
    }
}

fn same(found: &[f32], expected: &[f32], what: &str) {
    let differs = found.iter().zip(expected).position(|(a, b)| a.to_bits() != b.to_bits());
    assert_eq!(differs, None, "{what}: the first logit that differs");
}

/// In chunks, one by one, together with others, with guesses that are taken back: across the window's edge and far behind.
#[test]
fn every_way_gives_the_same_bits() {
    let lengths = [71, 72, 73, 136, 137, 200, 300];
    for name in FAMILIES {
        let file = open(name);
        let ids = cases(name).pop().expect("the longest").0;
        for kv_type in [KvType::F32, KvType::F16] {
            let (layers, model) = load(&file, "auto", 2, kv_type);
            let expected = lengths.map(|length| alone(&model, &ids[..length], 0, None));

            for chunk in [1, 3, 100] {
                let mut cache = Mode::Contiguous
                    .cache(&model.config, kv_type, 300)
                    .expect("there is memory")
                    .expect("a cache");
                let mut position = 0;
                for (&length, expected) in lengths.iter().zip(&expected) {
                    while position < length {
                        let end = length.min(position + chunk);
                        let found =
                            alone(&model, &ids[position..end], position, Some(&mut *cache));
                        if end == length {
                            same(
                                &found,
                                expected,
                                &format!("{name}, {length} in chunks of {chunk}"),
                            );
                        }
                        position = end;
                    }
                }
            }

            // Two texts in one batch: one with its prompt, the other token by token with two wrong guesses behind each.
            let pool: Arc<BlockPool> = BlockPool::new(&model.config, kv_type, 16);
            let (mut first, mut second) = (BlockTable::new(&pool), BlockTable::new(&pool));
            let mut start = 0;
            for (&length, expected) in lengths.iter().zip(&expected) {
                let shorter = start.max(length - 2);
                for at in start..shorter {
                    let item = &mut [BatchItem::new(&ids[at..=at], &mut second, 1)];
                    assert!(forward(&model, layers, item)[0].is_ok());
                }
                for at in shorter..length {
                    let guessed = [ids[at], 7, 9];
                    let mut prompt = BlockTable::new(&pool);
                    let mut items = [
                        BatchItem::new(&ids[..length], &mut prompt, 1),
                        BatchItem::new(&guessed, &mut second, 3),
                    ];
                    let mut found = forward(&model, layers, &mut items).into_iter();
                    let whole = found.next().expect("the first").expect("there is room");
                    same(&whole[0], expected, &format!("{name}, {length} in a batch"));
                    let guessed = found.next().expect("the second").expect("there is room");
                    engine::cache::KvCache::truncate(&mut second, at + 1);
                    if at + 1 == length {
                        same(&guessed[0], expected, &format!("{name}, {length} with guesses"));
                    }
                }
                start = length;
            }
            let item = &mut [BatchItem::new(&ids, &mut first, 1)];
            let found = forward(&model, layers, item).remove(0).expect("there is room");
            same(&found[0], &expected[6], &format!("{name}: a batch of one"));
        }
    }
}

#[test]
fn threads_and_instructions_change_no_bit() {
    for name in FAMILIES {
        let file = open(name);
        let ids = cases(name).pop().expect("the longest").0;
        let expected = alone(&load(&file, "scalar", 1, KvType::F32).1, &ids, 0, None);
        for (backend, threads) in [("auto", 1), ("auto", 3), ("scalar", 2)] {
            let (_, model) = load(&file, backend, threads, KvType::F32);
            let found = alone(&model, &ids, 0, None);
            same(&found, &expected, &format!("{name}, {backend}, {threads} threads"));
        }
    }
}

/// As a file packs them and repacked, for one row and for many.
#[test]
fn in_five_bits_nothing_changes_a_bit() {
    for name in ["llama3", "qwen2", "gemma3"] {
        let file = open_in_five_bits(name);
        let ids = cases(name).pop().expect("the longest").0;
        let logits = |backend: &str, threads, repack| {
            let backend = Backend::choose(backend).expect("this CPU has it");
            let mut compute = ComputeContext::new(backend, threads).expect("threads start");
            compute.repack = repack;
            let (_, model) = Layers::load(&file, compute, KvType::F16).expect("it loads");
            [&ids[..1], &ids[..73], &ids].map(|ids| alone(&model, ids, 0, None))
        };
        let expected = logits("scalar", 1, false);
        assert!(expected.concat().iter().all(|logit| logit.is_finite()), "{name}");
        for (backend, threads) in [("auto", 1), ("auto", 3), ("scalar", 2)] {
            let found = logits(backend, threads, true);
            for (found, expected) in found.iter().zip(&expected) {
                same(found, expected, &format!("{name}, {backend}, {threads} threads"));
            }
        }
    }
}

#[test]
fn a_window_is_in_all_layers_but_each_sixth() {
    let file = open("gemma3");
    let (layers, _) = load(&file, "auto", 1, KvType::F16);
    let found: Vec<usize> = (0..7).map(|layer| layers.window_of(layer)).collect();
    assert_eq!(found, [72, 72, 72, 72, 72, usize::MAX, 72]);
    let file = open("llama3");
    assert_eq!(load(&file, "auto", 1, KvType::F16).0.window_of(0), usize::MAX);
}

#[test]
fn what_we_do_not_know_is_refused_by_its_name() {
    let refused = |key: &str| {
        let mut file = tiny_gguf();
        file.set(key, test_support::tiny::Value::U32(3));
        let file = Gguf::from_vec(file.to_bytes()).expect("a file");
        assert!(Config::of(&file, &PARTS).is_ok());
        let compute = ComputeContext::new(Backend::choose("auto").expect("one"), 1);
        Layers::load(&file, compute.expect("a thread"), KvType::F16)
            .err()
            .map(|e| e.to_string())
    };
    let said = refused("qwen3.attention.temperature").expect("it is refused");
    assert!(said.contains("\"qwen3.attention.temperature\""), "{said}");
    assert_eq!(refused("qwen3.vocab_size"), None);
    assert_eq!(refused("general.something"), None);
}
