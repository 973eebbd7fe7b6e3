//! What passes over any kind of cache must give, which the part calls `Cache`: the bits of one pass without.

use ch02_kv_cache::cache::*; // on the first pages without a trait
use ch02_kv_cache::model::Model;
use ground::config::Config;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ndarray::{Array2, Axis, aview1, concatenate, s};
use proptest::prelude::*;
use test_support::parts::assert_same_bits;

use super::{Cache, new_cache};

/// Two models of other shapes, so small that a thousand positions take no time.
pub const SMALL: [&str; 2] = ["untied-one-kv", "three-to-one-odd-vocab"];

pub fn load(file: &Gguf) -> Model {
    let config = Config::from_gguf(file).expect("its config is sound");
    Model::load(file, config).expect("it loads")
}

pub fn embedded() -> (Gguf, Model) {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let model = load(&file);
    (file, model)
}

pub fn small(name: &str) -> Model {
    let models = test_support::root().join("tests/fixtures/models");
    load(&Gguf::open(&models.join(name).with_extension("gguf")).expect("it opens"))
}

/// Ids that are spread over the vocabulary without a pattern that a model could like.
fn some_ids(count: usize, vocab: usize) -> Vec<u32> {
    let mut random = SplitMix64::new(12345);
    (0..count).map(|_| random.below(vocab) as u32).collect()
}

/// The logits after every token.
fn logits(model: &Model, ids: &[u32], position: usize, cache: Lent) -> Array2<f32> {
    model.logits(model.hidden(ids, position, cache).expect("there is room").view())
}

/// A pass lets its rows count: without that, the next one would begin where it began.
fn assert_advanced(cache: &Cache, expected: usize) {
    let length = cache.shape().length;
    assert_eq!(
        length, expected,
        "after a pass the cache holds {length} positions, not {expected}: look at `hidden` in src/model.rs"
    );
}

/// All rows of logits, with the ids read in chunks of `chunk` over a cache.
fn cached_rows(model: &Model, ids: &[u32], chunk: usize) -> Array2<f32> {
    let mut cache = new_cache(&model.config, ids.len());
    let mut rows = Vec::new();
    for chunk in ids.chunks(chunk) {
        let position = cache.shape().length;
        rows.push(logits(model, chunk, position, Some(&mut cache)));
        assert_advanced(&cache, position + chunk.len());
    }
    let views: Vec<_> = rows.iter().map(|rows| rows.view()).collect();
    concatenate(Axis(0), &views).expect("all rows are as wide as the vocabulary")
}

/// Where to look when a pass over a cache differs from one without.
pub fn look(what: &str) -> String {
    format!("{what} (look at positions, mask and cache in src/attention.rs)")
}

fn assert_same_rows(found: &Array2<f32>, expected: &Array2<f32>, what: &str) {
    assert_same_bits(found.view(), expected.view(), &look(what));
}

/// The logits of one position.
fn assert_same_logits(found: &[f32], expected: &[f32], what: &str) {
    assert_same_bits(
        aview1(found).insert_axis(Axis(0)),
        aview1(expected).insert_axis(Axis(0)),
        &look(what),
    );
}

#[test]
fn a_thousand_positions_give_the_same_bits_in_chunks_of_any_size() {
    let model = small(SMALL[0]);
    let ids = some_ids(1000, model.config.vocab);
    let uncached = logits(&model, &ids, 0, None);
    for chunk in [1, 64, 1000] {
        let cached = cached_rows(&model, &ids, chunk);
        assert_same_rows(&cached, &uncached, &format!("in chunks of {chunk}"));
    }
    // The rows of the long pass are those of a pass that ends there.
    for length in [1, 2, 3, 17, 64, 129, 333, 500, 777, 999] {
        let again = model.forward(&ids[..length], 0, None).expect("no cache, no refusal");
        let what =
            format!("a pass over {length} tokens, beside the first rows of a longer one");
        let row = uncached.row(length - 1).to_vec();
        assert_same_logits(&again, &row, &what);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any prompt, cut into any chunks, on the two small models that load in no time.
    #[test]
    fn random_prompts_in_random_chunks(
        which in 0..2_usize,
        seeds in prop::collection::vec(any::<u32>(), 1..60),
        cuts in prop::collection::vec(1..20_usize, 1..60),
    ) {
        let model = small(SMALL[which]);
        let ids: Vec<u32> = seeds.iter().map(|seed| seed % model.config.vocab as u32).collect();
        let expected = logits(&model, &ids, 0, None);
        let mut cache = new_cache(&model.config, ids.len());
        let mut cuts = cuts.iter().cycle();
        while cache.shape().length < ids.len() {
            let from = cache.shape().length;
            let to = ids.len().min(from + cuts.next().expect("it goes round"));
            let rows = logits(&model, &ids[from..to], from, Some(&mut cache));
            let what = format!("rows from {from} on");
            assert_same_bits(rows.view(), expected.slice(s![from..to, ..]), &look(&what));
            assert_advanced(&cache, to);
        }
    }
}

#[test]
fn truncated_is_never_having_gone_there() {
    let (_, model) = embedded();
    let mut cache = new_cache(&model.config, 8);
    let forward = |cache: &mut Cache, ids: &[u32], at| {
        model.forward(ids, at, Some(cache)).expect("there is room")
    };
    forward(&mut cache, &[1, 2, 3], 0);
    let straight = forward(&mut cache, &[4], 3);
    cache.truncate(3);
    forward(&mut cache, &[9, 9, 9], 3);
    cache.truncate(3);
    assert_eq!(cache.shape().length, 3);
    assert_eq!(forward(&mut cache, &[4], 3), straight);
    cache.truncate(100); // more than there is: nothing to forget
    assert_eq!(cache.shape().length, 4);
    // Every layer forgets, not only the first.
    cache.truncate(1);
    for layer in 0..model.config.layers {
        assert!(cache.view(layer, 1).is_ok() && cache.view(layer, 2).is_err());
    }
}
