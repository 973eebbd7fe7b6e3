//! The model and the loop with a cache: it changes no bit of the result, and a pass that would is refused.

use std::cell::Cell;
use std::io;
use std::num::NonZeroUsize;

use ch02_kv_cache::attention::attention;
use ch02_kv_cache::cache::{CacheError, ContiguousCache, KvCache, Lent, Mode};
use ch02_kv_cache::compare::compare;
use ch02_kv_cache::generate::generate;
use ch02_kv_cache::model::Model;
use ch02_kv_cache::recorder::{Recorder, system_clock};
use ch02_kv_cache::session::{How, Session};
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::request::{FinishReason, Generation, Options, Request};
use ground::sample::Sampling;
use ground::tokenizer::Tokenizer;
use ndarray::{Array2, Axis, aview1, concatenate, s};
use proptest::prelude::*;
use test_support::parts::assert_same_bits;

const MODES: [Mode; 2] = [Mode::Basic, Mode::Contiguous];

/// Two models of other shapes, so small that a thousand positions take no time.
const SMALL: [&str; 2] = ["untied-one-kv", "three-to-one-odd-vocab"];

fn load(file: &Gguf) -> Model {
    let config = Config::from_gguf(file).expect("its config is sound");
    Model::load(file, config).expect("it loads")
}

fn embedded() -> (Gguf, Model) {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let model = load(&file);
    (file, model)
}

fn small(name: &str) -> Model {
    let models = test_support::root().join("tests/fixtures/models");
    load(&Gguf::open(&models.join(name).with_extension("gguf")).expect("it opens"))
}

fn new_cache(mode: Mode, config: &Config, positions: usize) -> Box<dyn KvCache> {
    mode.cache(config, positions).expect("there is memory").expect("a kind of cache")
}

fn contiguous(layers: usize, width: usize, capacity: usize) -> ContiguousCache {
    ContiguousCache::new(layers, width, capacity).expect("there is memory")
}

fn request(model: &Model, prompt_ids: &[u32], options: Options) -> Request {
    Request::new(prompt_ids.to_vec(), options, &model.config).expect("the model can serve it")
}

/// One reply through the chapter's loop.
fn reply(model: &Model, tokenizer: &Tokenizer, request: &Request, mode: Mode) -> Generation {
    let positions = request.prompt_ids().len() + request.max_new_tokens();
    let mut cache = mode.cache(&model.config, positions).expect("there is memory");
    let clock = system_clock();
    let forward =
        |ids: &[u32], position: usize, cache: Lent| Ok(model.forward(ids, position, cache)?);
    let mut recorder = Recorder::new(&clock);
    generate(request, tokenizer, &mut recorder, cache.as_deref_mut(), forward, |_| Ok(()))
        .expect("there is room")
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
fn assert_advanced(cache: &dyn KvCache, expected: usize) {
    let length = cache.shape().length;
    assert_eq!(
        length, expected,
        "after a pass the cache holds {length} positions, not {expected}: look at `hidden` in src/model.rs"
    );
}

/// All rows of logits, with the ids read in chunks of `chunk` over a cache.
fn cached_rows(model: &Model, ids: &[u32], mode: Mode, chunk: usize) -> Array2<f32> {
    let mut cache = new_cache(mode, &model.config, ids.len());
    let mut rows = Vec::new();
    for chunk in ids.chunks(chunk) {
        let position = cache.shape().length;
        rows.push(logits(model, chunk, position, Some(&mut *cache)));
        assert_advanced(&*cache, position + chunk.len());
    }
    let views: Vec<_> = rows.iter().map(|rows| rows.view()).collect();
    concatenate(Axis(0), &views).expect("all rows are as wide as the vocabulary")
}

/// Where to look when a pass over a cache differs from one without.
fn look(what: &str) -> String {
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
    for (mode, chunk) in [(Mode::Contiguous, 1), (Mode::Basic, 64), (Mode::Contiguous, 1000)] {
        let cached = cached_rows(&model, &ids, mode, chunk);
        assert_same_rows(&cached, &uncached, &format!("{mode:?} in chunks of {chunk}"));
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

#[test]
fn every_model_gives_the_same_bits_with_both_caches() {
    for (model, length) in [(embedded().1, 40), (small(SMALL[0]), 150), (small(SMALL[1]), 150)]
    {
        let name = &model.config.name;
        let ids = some_ids(length, model.config.vocab);
        let uncached = logits(&model, &ids, 0, None);
        for mode in MODES {
            for chunk in [1, 7, 64, 150] {
                let cached = cached_rows(&model, &ids, mode, chunk);
                assert_same_rows(&cached, &uncached, &format!("{name}, {mode:?}, {chunk}"));
            }
        }
    }
}

#[test]
fn a_prompt_in_chunks_gives_the_logits_of_the_prompt_at_once() {
    let model = small(SMALL[1]);
    let ids = some_ids(50, model.config.vocab);
    let expected = model.forward(&ids, 0, None).expect("no cache, no refusal");
    for chunk in [1, 2, 3, 49, 50, 51, usize::MAX].map(NonZeroUsize::new) {
        for mode in MODES {
            let mut cache = new_cache(mode, &model.config, ids.len());
            let found = model.forward_in_chunks(&ids, 0, Some(&mut *cache), chunk);
            let what = format!("{mode:?} in chunks of {chunk:?}");
            assert_same_logits(&found.expect("there is room"), &expected, &what);
            assert_advanced(&*cache, ids.len());
        }
        // Nothing carries over without a cache: then it must not be cut at all.
        let found = model.forward_in_chunks(&ids, 0, None, chunk);
        let what = format!("chunks of {chunk:?}, no cache");
        assert_same_logits(&found.expect("no cache, no refusal"), &expected, &what);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any prompt, cut into any chunks, on the two small models that load in no time.
    #[test]
    fn random_prompts_in_random_chunks(
        which in 0..2_usize,
        basic in any::<bool>(),
        seeds in prop::collection::vec(any::<u32>(), 1..60),
        cuts in prop::collection::vec(1..20_usize, 1..60),
    ) {
        let model = small(SMALL[which]);
        let ids: Vec<u32> = seeds.iter().map(|seed| seed % model.config.vocab as u32).collect();
        let expected = logits(&model, &ids, 0, None);
        let mode = if basic { Mode::Basic } else { Mode::Contiguous };
        let mut cache = new_cache(mode, &model.config, ids.len());
        let mut cuts = cuts.iter().cycle();
        while cache.shape().length < ids.len() {
            let from = cache.shape().length;
            let to = ids.len().min(from + cuts.next().expect("it goes round"));
            let rows = logits(&model, &ids[from..to], from, Some(&mut *cache));
            let what = format!("{mode:?}, rows from {from} on");
            assert_same_bits(rows.view(), expected.slice(s![from..to, ..]), &look(&what));
            assert_advanced(&*cache, to);
        }
    }
}

#[test]
fn seeds_draw_the_same_tokens_with_and_without_a_cache() {
    let (file, model) = embedded();
    let tokenizer = Tokenizer::from_gguf(&file).expect("its vocabulary is sound");
    let prompt = tokenizer.encode("Once upon a time").expect("plain text");
    for seed in 0..3 {
        let sampling =
            Sampling { temperature: 0.7, top_k: 40, top_p: 0.9, repetition_penalty: 1.1, seed };
        let options = Options { max_new_tokens: 12, sampling, ..Options::default() };
        let request = request(&model, &prompt, options);
        let uncached = reply(&model, &tokenizer, &request, Mode::Off);
        for mode in MODES {
            let cached = reply(&model, &tokenizer, &request, mode);
            assert_eq!(cached, uncached, "seed {seed}, {mode:?}");
        }
    }
}

/// The loop with a script in the model's place, which fills the cache as the model would.
fn play(mode: Mode, options: Options, script: &[u32]) -> (Generation, usize) {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let tokenizer = Tokenizer::from_gguf(&file).expect("its vocabulary is sound");
    let config = Config::from_gguf(&file).expect("its config is sound");
    let request = Request::new(vec![1, 2], options, &config).expect("it is sound");
    let mut cache = new_cache(mode, &config, 20);
    let passes = Cell::new(0);
    let forward = |ids: &[u32], position: usize, cache: Lent| {
        let cache = cache.expect("it was lent");
        assert_eq!(position, cache.shape().length);
        assert_eq!(ids.len(), if passes.get() == 0 { 2 } else { 1 }, "only what is new");
        let rows = Array2::zeros((ids.len(), cache.shape().width));
        for layer in 0..config.layers {
            cache.write(layer, (rows.view(), rows.view()))?;
        }
        cache.advance(ids.len());
        let mut logits = vec![0.0; config.vocab];
        logits[script[passes.get()] as usize] = 1.0;
        passes.set(passes.get() + 1);
        Ok(logits)
    };
    let clock = system_clock();
    let mut recorder = Recorder::new(&clock);
    let lent: Lent = Some(&mut *cache);
    let generation = generate(
        &request,
        &tokenizer,
        &mut recorder,
        lent,
        forward,
        |_: &str| -> io::Result<()> { Ok(()) },
    );
    (generation.expect("the script plays"), cache.shape().length)
}

#[test]
fn with_a_cache_a_reply_ends_at_an_end_token_a_stop_string_and_the_length() {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let tokenizer = Tokenizer::from_gguf(&file).expect("its vocabulary is sound");
    let eos = Config::from_gguf(&file).expect("its config is sound").eos_ids[0];
    let [a, b, c] = ["a", "b", "c"].map(|text| tokenizer.encode(text).expect("a letter")[0]);
    let stop = Options { stop: vec!["bc".into()], ..Options::default() };
    let three = Options { max_new_tokens: 3, ..Options::default() };
    for mode in MODES {
        for (options, script, reason, text) in [
            (Options::default(), vec![a, b, eos], FinishReason::Eos, "ab"),
            (stop.clone(), vec![a, b, c], FinishReason::Stop, "a"),
            (three.clone(), vec![a, b, b], FinishReason::Length, "abb"),
        ] {
            let (found, length) = play(mode, options, &script);
            assert_eq!((found.finish_reason, found.text.as_str()), (reason, text), "{mode:?}");
            assert_eq!(found.generated_ids, script, "{mode:?}");
            assert_eq!(length, 2 + script.len() - 1, "the last token is never fed back");
        }
    }
}

/// One attention layer of a judged model, over made-up rows.
struct OneLayer {
    model: Model,
    x: Array2<f32>, // [5, hidden]
}

impl OneLayer {
    fn new() -> OneLayer {
        let model = small(SMALL[1]);
        let x = Array2::from_shape_fn((5, model.config.hidden), |(row, column)| {
            ((row * 31 + column * 7) % 23) as f32 / 11.0 - 1.0
        });
        OneLayer { model, x }
    }

    fn config(&self) -> Config {
        Config { layers: 1, ..self.model.config.clone() }
    }

    fn attend(
        &self,
        from: usize,
        to: usize,
        cache: Option<&mut (dyn KvCache + 'static)>,
    ) -> Array2<f32> {
        let layer = &self.model.weights.layers[0];
        let rows = self.x.slice(s![from..to, ..]);
        attention(rows, 0, layer, &self.model.config, from, cache).expect("there is room")
    }
}

#[test]
fn five_tokens_at_once_are_four_and_one_are_two_and_one_and_one_and_one() {
    let one = OneLayer::new();
    let whole = one.attend(0, 5, None);
    for mode in MODES {
        for chunks in [vec![5], vec![4, 1], vec![2, 1, 1, 1], vec![1, 4]] {
            let mut cache = new_cache(mode, &one.config(), 5);
            let mut from = 0;
            for &rows in &chunks {
                let found = one.attend(from, from + rows, Some(&mut *cache));
                cache.advance(rows);
                let expected = whole.slice(s![from..from + rows, ..]);
                let what = format!(
                    "attention alone, {mode:?}, chunks of {chunks:?}, rows from {from} on"
                );
                assert_same_bits(found.view(), expected, &look(&what));
                from += rows;
            }
        }
    }
}

#[test]
fn a_forward_pass_checks_before_it_writes() {
    let (_, model) = embedded();
    let config = &model.config;
    let mut cache = contiguous(config.layers, config.kv_heads * config.head_dim, 3);
    model.forward(&[1, 2], 0, Some(&mut cache)).expect("two of three positions");
    let before = cache.shape();
    let refused = model.forward(&[3], 1, Some(&mut cache));
    assert_eq!(refused, Err(CacheError::Position { position: 1, length: 2 }));
    let refused = model.forward(&[3], 3, Some(&mut cache));
    assert_eq!(refused, Err(CacheError::Position { position: 3, length: 2 }));
    let refused = model.forward(&[3, 4], 2, Some(&mut cache));
    assert_eq!(refused, Err(CacheError::Full { length: 2, rows: 2, capacity: 3 }));
    assert_eq!(cache.shape(), before, "a refused pass leaves every layer as it was");
    model.forward(&[3], 2, Some(&mut cache)).expect("the last position");

    let mut other = contiguous(config.layers + 1, 8, 3);
    let refused = model.forward(&[1], 0, Some(&mut other));
    assert!(matches!(refused, Err(CacheError::OtherModel { .. })), "{refused:?}");
    assert_eq!(other.shape().length, 0);
}

#[test]
fn a_used_cache_is_refused_for_a_second_prompt_until_it_is_cleared() {
    let (file, model) = embedded();
    let tokenizer = Tokenizer::from_gguf(&file).expect("its vocabulary is sound");
    let clock = system_clock();
    for mode in MODES {
        let mut cache = new_cache(mode, &model.config, 20);
        let run = |cache: &mut (dyn KvCache + 'static), prompt: &[u32]| {
            let options = Options { max_new_tokens: 3, ..Options::default() };
            let request = request(&model, prompt, options);
            let forward = |ids: &[u32], position: usize, cache: Lent| {
                Ok(model.forward(ids, position, cache)?)
            };
            let mut recorder = Recorder::new(&clock);
            generate(&request, &tokenizer, &mut recorder, Some(cache), forward, |_| Ok(()))
        };
        let first = run(&mut *cache, &[5, 6, 7]).expect("the first prompt");
        let refused = run(&mut *cache, &[8, 9]).expect_err("the cache is in use");
        assert!(refused.to_string().contains("holds 5 positions"), "{refused}");
        cache.truncate(0);
        assert_eq!(run(&mut *cache, &[5, 6, 7]).expect("a cleared cache is new"), first);
    }
}

#[test]
fn one_position_is_enough_for_one_token_and_none_for_none() {
    let (file, model) = embedded();
    let tokenizer = Tokenizer::from_gguf(&file).expect("its vocabulary is sound");
    let width = model.config.kv_heads * model.config.head_dim;
    let mut one = contiguous(model.config.layers, width, 1);
    model.forward(&[1], 0, Some(&mut one)).expect("one position holds one token");
    let refused = model.forward(&[1], 1, Some(&mut one));
    assert_eq!(refused, Err(CacheError::Full { length: 1, rows: 1, capacity: 1 }));
    let options = Options { max_new_tokens: 0, ..Options::default() };
    let nothing = request(&model, &[1, 2], options);
    for mode in MODES {
        let none = reply(&model, &tokenizer, &nothing, mode);
        assert!(none.generated_ids.is_empty());
    }
}

#[test]
fn a_comparison_of_two_different_replies_fails() {
    let (file, _) = embedded();
    let session = Session::open(&file, system_clock()).expect("the embedded model runs");
    let options = Options { max_new_tokens: 3, ..Options::default() };
    let request = request(&session.model, &[1, 2, 3], options);
    let on = How { kv: Mode::Basic, prefill_chunk: NonZeroUsize::new(2) };
    let once = NonZeroUsize::MIN;
    let mut comparison = compare(&session, &request, &on, once).expect("it runs");
    assert!(comparison.same_reply, "chunks of a prompt change nothing");
    for json in [false, true] {
        let mut out = Vec::new();
        comparison.print(&mut out, json, false).expect("the replies are the same");
        if json {
            assert_speed_ups_are_of_the_reports(&out);
        }
    }
    comparison.same_reply = false;
    for json in [false, true] {
        let mut out = Vec::new();
        let error = comparison.print(&mut out, json, false).expect_err("they differ");
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
        let said = if json { "\"same_reply\":false" } else { "reply: DIFFERENT" };
        let out = String::from_utf8(out).expect("text");
        assert!(out.contains(said), "{out}");
    }
}

/// There was one run: its ratio is the smallest, the largest and the median.
fn assert_speed_ups_are_of_the_reports(json: &[u8]) {
    let json: serde_json::Value = serde_json::from_slice(json).expect("JSON");
    let figure =
        |path: &str| json.pointer(path).and_then(|figure| figure.as_f64()).expect(path);
    let speed = |run: &str| figure(&format!("/{run}/decode_tokens_per_second"));
    let whole = |run: &str| figure(&format!("/{run}/forward_ms/sum"));
    for place in ["min", "median", "max"] {
        for (name, expected) in [
            ("decode_speed_up", speed("on") / speed("off")),
            ("whole_run_speed_up", whole("off") / whole("on")),
        ] {
            let found = figure(&format!("/{name}/{place}"));
            // The last digit of a number is lost in JSON.
            assert!((found / expected - 1.0).abs() < 1e-9, "{name}: {found}, not {expected}");
        }
    }
}

#[test]
fn truncated_is_never_having_gone_there() {
    let (_, model) = embedded();
    for mode in MODES {
        let mut cache = new_cache(mode, &model.config, 8);
        let forward = |cache: &mut (dyn KvCache + 'static), ids: &[u32], at| {
            model.forward(ids, at, Some(cache)).expect("there is room")
        };
        forward(&mut *cache, &[1, 2, 3], 0);
        let straight = forward(&mut *cache, &[4], 3);
        cache.truncate(3);
        forward(&mut *cache, &[9, 9, 9], 3);
        cache.truncate(3);
        assert_eq!(cache.shape().length, 3);
        assert_eq!(forward(&mut *cache, &[4], 3), straight, "{mode:?}");
        cache.truncate(100); // more than there is: nothing to forget
        assert_eq!(cache.shape().length, 4);
        // Every layer forgets, not only the first.
        cache.truncate(1);
        for layer in 0..model.config.layers {
            assert!(cache.view(layer, 1).is_ok() && cache.view(layer, 2).is_err(), "{mode:?}");
        }
    }
}

#[test]
fn flags_that_would_have_no_effect_are_refused() {
    for flags in [
        "--kv turbo",
        "--prefill-chunk 2",
        "--kv off --prefill-chunk 2",
        "--kv off --compare",
        "--compare --profile",
        "--compare --json --top-logits 2",
        "--compare --json --layer-states",
        "--runs 2",
        "--bandwidth",
    ] {
        let arguments = std::iter::once("ch02").chain(flags.split(' ')).map(Into::into);
        match ch02_kv_cache::run(arguments.collect()) {
            Err(Error::Usage(error)) => assert_eq!(error.exit_code(), 2, "{flags}"),
            other => panic!("{flags}: {other:?}"),
        }
    }
}
