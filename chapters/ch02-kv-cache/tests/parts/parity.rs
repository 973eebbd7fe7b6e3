//! The loop with a cache, and two replies beside each other.

use std::num::NonZeroUsize;

use ch02_kv_cache::cache::*; // on the first pages without a trait
use ch02_kv_cache::compare::compare;
use ch02_kv_cache::generate::generate;
use ch02_kv_cache::model::Model;
use ch02_kv_cache::recorder::{Recorder, system_clock};
use ch02_kv_cache::session::Session;
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::request::{Options, Request};
use ground::tokenizer::Tokenizer;

fn embedded() -> (Gguf, Model) {
    let file = ground::embedded::tiny_qwen3().expect("the embedded model opens");
    let config = Config::from_gguf(&file).expect("its config is sound");
    let model = Model::load(&file, config).expect("it loads");
    (file, model)
}

fn new_cache(config: &Config, positions: usize) -> ContiguousCache {
    ContiguousCache::new(config.layers, config.kv_heads * config.head_dim, positions)
        .expect("there is memory")
}

fn request(model: &Model, prompt_ids: &[u32], options: Options) -> Request {
    Request::new(prompt_ids.to_vec(), options, &model.config).expect("the model can serve it")
}

#[test]
fn a_used_cache_is_refused_for_a_second_prompt_until_it_is_cleared() {
    let (file, model) = embedded();
    let tokenizer = Tokenizer::from_gguf(&file).expect("its vocabulary is sound");
    let clock = system_clock();
    let run = |cache: &mut ContiguousCache, prompt: &[u32], max_new_tokens| {
        let options = Options { max_new_tokens, ..Options::default() };
        let request = request(&model, prompt, options);
        let forward = |ids: &[u32], position: usize, cache: Lent| {
            Ok(model.forward(ids, position, cache)?)
        };
        let mut recorder = Recorder::new(&clock);
        generate(&request, &tokenizer, &mut recorder, Some(cache), forward, |_| Ok(()))
    };
    let mut cache = new_cache(&model.config, 20);
    let first = run(&mut cache, &[5, 6, 7], 3).expect("the first prompt");
    let refused = run(&mut cache, &[8, 9], 3).expect_err("the cache is in use");
    assert!(refused.to_string().contains("holds 5 positions"), "{refused}");
    cache.truncate(0);
    assert_eq!(run(&mut cache, &[5, 6, 7], 3).expect("a cleared cache is new"), first);

    let none = run(&mut new_cache(&model.config, 0), &[1, 2], 0).expect("nothing to write");
    assert!(none.generated_ids.is_empty());
}

#[test]
fn one_position_is_enough_for_one_token() {
    let (_, model) = embedded();
    let mut one = new_cache(&model.config, 1);
    model.forward(&[1], 0, Some(&mut one)).expect("one position holds one token");
    let refused = model.forward(&[1], 1, Some(&mut one));
    assert_eq!(refused, Err(CacheError::Full { length: 1, rows: 1, capacity: 1 }));
}

#[test]
fn a_comparison_of_two_different_replies_fails() {
    let (file, _) = embedded();
    let session = Session::open(&file, system_clock()).expect("the embedded model runs");
    let options = Options { max_new_tokens: 3, ..Options::default() };
    let request = request(&session.model, &[1, 2, 3], options);
    let once = NonZeroUsize::MIN;
    let mut comparison = compare(&session, &request, Mode::Contiguous, once).expect("it runs");
    assert!(comparison.same_reply, "a cache changes nothing");
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
fn flags_that_would_have_no_effect_are_refused() {
    for flags in [
        "--kv turbo",
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
