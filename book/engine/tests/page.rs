//! The committed module, run as a browser runs it, gives what the chapters give, to the bit.

mod machine;

use ch02_kv_cache::cache as ch02;
use ch03_simd_matmul::backend::Backend;
use ch03_simd_matmul::cache as ch03;
use engine::digest::Digest;
use engine::{Page, Wish};
use ground::config::Config;
use ground::gguf::Gguf;
use ground::request::{Generation, Options, Request};
use ground::tokenizer::Tokenizer;
use machine::Machine;
use serde_json::Value;

const WISH: Wish =
    Wish { chapter_3: false, cache: true, chat: false, new_tokens: 12, ignore_eos: false };

/// What a chapter's own loop gives: the reply, and the digest of the logits after each pass.
struct Native {
    generation: Generation,
    digests: Vec<String>,
}

/// The same lines for each chapter, whose types differ.
macro_rules! native {
    ($name:ident, $chapter:ident, $cache:ident, $($backend:expr)?) => {
        fn $name(file: &Gguf, request: &Request, cached: bool) -> Native {
            let tokenizer = Tokenizer::from_gguf(file).unwrap();
            let config = Config::from_gguf(file).unwrap();
            let model = $chapter::model::Model::load(file, config, $($backend)?).unwrap();
            let mode = if cached { $cache::Mode::Contiguous } else { $cache::Mode::Off };
            let positions = request.prompt_ids().len() + request.max_new_tokens();
            let mut cache = mode.cache(&model.config, positions).unwrap();
            let clock = $chapter::recorder::system_clock();
            let mut recorder = $chapter::recorder::Recorder::new(&clock);
            let (mut digest, mut digests) = (Digest::default(), Vec::new());
            let forward = |ids: &[u32], position: usize, cache: $cache::Lent| {
                let logits = model.forward(ids, position, cache)?;
                digest.add(&logits);
                digests.push(digest.text());
                Ok(logits)
            };
            let generation = $chapter::generate::generate(
                request,
                &tokenizer,
                &mut recorder,
                cache.as_deref_mut(),
                forward,
                |_| Ok(()),
            );
            Native { generation: generation.unwrap(), digests }
        }
    };
}

native!(chapter_2, ch02_kv_cache, ch02,);
native!(chapter_3, ch03_simd_matmul, ch03, Backend::choose("auto").unwrap());

fn request(file: &Gguf, prompt: &str, validated: Wish) -> Request {
    let ids = Tokenizer::from_gguf(file).unwrap().encode(prompt).unwrap();
    let Wish { new_tokens: max_new_tokens, ignore_eos, .. } = validated;
    let options = Options { max_new_tokens, ignore_eos, ..Options::default() };
    Request::new(ids, options, &Config::from_gguf(file).unwrap()).unwrap()
}

/// Runs a reply in the module and in the chapter, and compares all that both tell.
fn same(machine: &mut Machine, file: &Gguf, prompt: &str, validated: Wish) -> Vec<Value> {
    let request = request(file, prompt, validated);
    let native = if validated.chapter_3 { chapter_3 } else { chapter_2 }(
        file,
        &request,
        validated.cache,
    );
    let tokenizer = Tokenizer::from_gguf(file).unwrap();
    let texts = |ids: &[u32]| -> Vec<String> {
        ids.iter().map(|&id| tokenizer.token_text(id).unwrap()).collect()
    };

    let begun = machine.begin(prompt, validated);
    assert_eq!(begun["tokens"], Value::from(texts(request.prompt_ids())), "{validated:?}");
    let steps = machine.steps();
    let of = |key: &str| steps.iter().map(|step| step[key].clone()).collect::<Vec<_>>();
    let text: String = steps.iter().map(|step| step["text"].as_str().unwrap()).collect();
    let Native { generation, digests } = native;
    assert_eq!(of("id"), generation.generated_ids, "{validated:?}");
    assert_eq!(of("token"), texts(&generation.generated_ids), "{validated:?}");
    assert_eq!(of("digest"), digests, "not the same bits: {validated:?}");
    assert_eq!(text, generation.text, "{validated:?}");
    steps
}

#[test]
fn the_replies_of_both_chapters_with_and_without_a_cache() {
    let file = ground::embedded::tiny_qwen3().unwrap();
    let mut machine = Machine::with_model();
    for chapter_3 in [false, true] {
        let validated = Wish { chapter_3, ..WISH };
        let cached = same(&mut machine, &file, "Once upon a time", validated);
        let validated = Wish { cache: false, new_tokens: 3, ..validated };
        let uncached = same(&mut machine, &file, "Once upon a time", validated);

        let numbers = |steps: &[Value], key: &str| -> Vec<u64> {
            steps.iter().map(|step| step[key].as_u64().unwrap()).collect()
        };
        assert_eq!(numbers(&cached[..3], "computed"), [4, 1, 1]);
        assert_eq!(numbers(&cached[..3], "rows"), [4, 5, 6]);
        assert_eq!(numbers(&cached[..3], "cache_bytes"), [4 * 9216, 5 * 9216, 6 * 9216]);
        assert_eq!(numbers(&uncached, "computed"), [4, 5, 6]);
        assert_eq!(numbers(&uncached, "cache_bytes"), [0, 0, 0]);
        assert_eq!(cached[2]["digest"], uncached[2]["digest"]);
        assert_eq!(cached.last().unwrap()["ended"], "length");

        for step in cached {
            let likely = step["likely"].as_array().unwrap();
            let share = |one: &Value| one["share"].as_f64().unwrap();
            assert_eq!(likely.len(), 5);
            assert_eq!(likely[0]["text"], step["token"]);
            assert!(likely.windows(2).all(|pair| share(&pair[0]) >= share(&pair[1])));
            assert!(likely.iter().map(share).sum::<f64>() <= 1.0 + 1e-6);
        }
    }
}

/// What `lab/browser/engine.py` expects of a browser.
#[test]
fn the_digests_that_a_browser_must_show() {
    let file = ground::embedded::tiny_qwen3().unwrap();
    let checks = include_str!("../../../lab/browser/engine.py");
    let request = request(&file, "Once upon a time", Wish { new_tokens: 24, ..WISH });
    for (chapter, native) in
        [(2, chapter_2 as fn(&Gguf, &Request, bool) -> Native), (3, chapter_3)]
    {
        let digest = native(&file, &request, true).digests.pop().unwrap();
        let expected = format!("{chapter}: \"{}\"", &digest[..8]);
        assert!(checks.contains(&expected), "not in lab/browser/engine.py: {expected}");
    }
}

/// What `lab/browser/figures.py` expects of the race and of the road not taken.
#[test]
fn the_digests_that_the_figures_must_show() {
    let file = ground::embedded::tiny_qwen3().unwrap();
    let checks = include_str!("../../../lab/browser/figures.py");
    let run = |ids: Vec<u32>, new_tokens: usize| {
        let options =
            Options { max_new_tokens: new_tokens, ignore_eos: true, ..Options::default() };
        let request = Request::new(ids, options, &Config::from_gguf(&file).unwrap()).unwrap();
        chapter_2(&file, &request, true)
    };
    let prompt =
        Tokenizer::from_gguf(&file).unwrap().encode("Once upon a time").unwrap().to_vec();
    let race = run(prompt.clone(), 64);
    // The same text as far as its eighth token, and then the second likeliest.
    let mut machine = Machine::with_model();
    machine.begin("Once upon a time", Wish { new_tokens: 8, ..WISH });
    let likely = machine.steps()[7]["likely"].clone();
    let mut ids = [prompt, race.generation.generated_ids[..7].to_vec()].concat();
    ids.push(likely[1]["id"].as_u64().unwrap() as u32);
    let road = run(ids, 40);
    let expected =
        format!("RACE, ROAD = \"{}\", \"{}\"", &race.digests[63][..8], &road.digests[39][..8]);
    assert!(checks.contains(&expected), "not in lab/browser/figures.py: {expected}");
}

/// A lane of a dot product with a row: each product rounded once, or first to f64.
fn lane(x: &[f32], row: &[f32], lane: usize, once: bool) -> f32 {
    let places = (lane..x.len()).step_by(16);
    places.fold(0.0, |sum, at| {
        let in_f64 = f64::from(x[at]) * f64::from(row[at]) + f64::from(sum);
        if once { x[at].mul_add(row[at], sum) } else { in_f64 as f32 }
    })
}

/// The embedded model with another weight in its last norm: each number that the head gets, from the second sixteen
/// on, makes a sum of some row end so close to the middle between two f32 that rounding twice goes wrong.
fn beside_the_middle(file: &Gguf, prompt: &str) -> Vec<u8> {
    let ids = request(file, prompt, WISH).prompt_ids().to_vec();
    let config = Config::from_gguf(file).unwrap();
    let (eps, hidden) = (config.rms_eps, config.hidden);
    let model =
        ch03_simd_matmul::model::Model::load(file, config, Backend::choose("auto").unwrap());
    let states = model.unwrap().hidden(&ids, 0, None).unwrap();
    let last = states.slice(ndarray::s![ids.len() - 1.., ..]);
    let ones = ndarray::Array1::ones(hidden);
    let normed = ch03_simd_matmul::norm::rms_norm_rows(last, ones.view(), eps);
    let normed = normed.as_slice().unwrap();

    let norm = file.tensor("output_norm.weight").unwrap();
    let mut weight = norm.to_f32();
    let mut x: Vec<f32> = normed.iter().zip(&weight).map(|(x, weight)| x * weight).collect();
    let head = file.tensor("token_embd.weight").unwrap().to_f32();
    let rows: Vec<&[f32]> = head.chunks(hidden).collect();
    let mut found = 0;
    for at in 16..hidden {
        let mut wishes = rows.iter().filter_map(|row| {
            let sum = lane(&x[..at], row, at % 16, true);
            let half = (sum.abs().next_up() - sum.abs()) / 2.0;
            let scale = half / row[at] / normed[at];
            let number = normed[at] * scale;
            let in_f64 = f64::from(number) * f64::from(row[at]) + f64::from(sum);
            // A weight may be 0.
            let wrong = number.is_normal() && in_f64 as f32 != number.mul_add(row[at], sum);
            wrong.then_some((scale, number))
        });
        if let Some((scale, number)) = wishes.next() {
            (weight[at], x[at]) = (scale, number);
            found += 1;
        }
    }
    assert!(found > hidden / 2, "only {found}");
    let differ = rows.iter().filter(|row| {
        let sum = |once| (0..16).map(|at| lane(&x, row, at, once)).sum::<f32>();
        sum(true) != sum(false)
    });
    let differ = differ.count();
    assert!(differ > 10, "only {differ} logits would differ");

    let mut bytes = ground::embedded::tiny_qwen3_bytes().to_vec();
    let place = bytes.windows(norm.bytes.len()).position(|there| there == norm.bytes).unwrap();
    for (to, weight) in bytes[place..].chunks_mut(4).zip(&weight) {
        to.copy_from_slice(&weight.to_le_bytes());
    }
    bytes
}

/// Where a fused multiply-add is put together from f64, the hard cases are rounded once, too.
#[test]
fn sums_beside_the_middle_between_two_numbers() {
    let prompt = "Once upon a time";
    let bytes = beside_the_middle(&ground::embedded::tiny_qwen3().unwrap(), prompt);
    let mut machine = Machine::new();
    machine.open(&bytes);
    let validated = Wish { chapter_3: true, new_tokens: 1, ..WISH };
    same(&mut machine, &Gguf::from_vec(bytes).unwrap(), prompt, validated);
}

/// The weights of every head, for the last of `ids`: chapter 2's attention over all rows at once, with values that
/// say which key they belong to.
fn weights(model: &ch02_kv_cache::model::Model, ids: &[u32], layer: usize) -> Vec<Vec<f32>> {
    use ch02_kv_cache::{attention, matmul, norm, rope};
    use ndarray::{Array2, s};

    let config = &model.config;
    let mut x = model.embed(ids);
    for below in 0..layer {
        x = model.layer(below, x, 0, None).unwrap();
    }
    let layer = &model.weights.layers[layer];
    let x = norm::rms_norm_rows(x.view(), layer.attn_norm.view(), config.rms_eps);
    let turned = |weight: &Array2<f32>, norm: &ndarray::Array1<f32>| {
        let mut rows = matmul::matmul(x.view(), weight.view());
        norm::rms_norm_heads(&mut rows, norm.view(), config.rms_eps);
        rope::rope(&mut rows, config.head_dim, config.rope_theta, 0);
        rows
    };
    let q = turned(&layer.q_proj, &layer.q_norm);
    let k = turned(&layer.k_proj, &layer.k_norm);
    let last = ids.len() - 1;
    let mut weights = vec![vec![0.0; ids.len()]; config.heads];
    for key in 0..ids.len() {
        let mut v = Array2::zeros(k.dim());
        v.row_mut(key).fill(1.0);
        let out = attention::attend(q.slice(s![last.., ..]), k.view(), v.view(), last, config);
        for (head, weights) in weights.iter_mut().enumerate() {
            weights[key] = out[[0, head * config.head_dim]];
        }
    }
    weights
}

#[test]
fn the_weights_of_attention() {
    let file = ground::embedded::tiny_qwen3().unwrap();
    let config = Config::from_gguf(&file).unwrap();
    let model = ch02_kv_cache::model::Model::load(&file, config).unwrap();
    let prompt = "Once upon a time, there was a bear";
    let validated = Wish { new_tokens: 3, ..WISH };
    let request = request(&file, prompt, validated);
    let mut machine = Machine::with_model();
    machine.begin(prompt, validated);
    let mut ids = request.prompt_ids().to_vec();
    ids.extend(machine.steps().iter().map(|step| step["id"].as_u64().unwrap() as u32));

    // Back and forth: an earlier row, another layer, the last row that was computed.
    for (layer, position) in [(2, 4), (5, 10), (0, 7), (3, 0)] {
        let native = weights(&model, &ids[..=position], layer);
        for head in [0, 1, 5] {
            let told = machine.attention(layer, head, position);
            let told: Vec<f32> = serde_json::from_value(told["weights"].clone()).unwrap();
            let bits =
                |weights: &[f32]| weights.iter().map(|w| w.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&told), bits(&native[head]), "layer {layer}, head {head}");
        }
    }
    let refused = machine.attention(6, 0, 0)["error"].clone();
    assert_eq!(refused, "there is no layer 6: found 0 to 5");
    let refused = machine.attention(0, 6, 0)["error"].clone();
    assert_eq!(refused, "there is no head 6: found 0 to 5");
    let there = ids.len() - 1;
    let refused = machine.attention(0, 0, there)["error"].clone();
    assert_eq!(
        refused,
        format!("there is no row for position {there}: found 0 to {}", there - 1)
    );
}

#[test]
fn a_branch_is_a_fresh_run_with_its_tokens_to_the_bit() {
    let file = ground::embedded::tiny_qwen3().unwrap();
    let config = Config::from_gguf(&file).unwrap();
    let mut machine = Machine::with_model();
    type Runs = fn(&Gguf, &Request, bool) -> Native;
    let ways: [(bool, bool, Runs); 3] =
        [(true, false, chapter_2), (false, false, chapter_2), (true, true, crate::chapter_3)];
    for (cache, chapter_3, run) in ways {
        let validated = Wish { cache, chapter_3, new_tokens: 9, ignore_eos: true, ..WISH };
        let prompt = request(&file, "Once upon a time", validated).prompt_ids().to_vec();
        machine.draw(0.0, 0, 1.0, 0);
        machine.begin("Once upon a time", validated);
        let steps = machine.steps();
        let id = |step: &Value| step["id"].as_u64().unwrap() as u32;
        let all = [prompt.clone(), steps.iter().map(id).collect()].concat();
        // Back, further back, and drawn instead of the likeliest.
        for (kept, temperature) in [(9, 0.0), (5, 0.0), (7, 0.9)] {
            let other = steps[kept - prompt.len()]["likely"][2]["id"].as_u64().unwrap() as u32;
            machine.begin("Once upon a time", validated);
            machine.steps();
            machine.draw(temperature, 20, 0.95, 7);
            machine.branch(kept, other);
            let branch = machine.steps();

            let ids = [all[..kept].to_vec(), vec![other]].concat();
            let sampling = ground::sample::Sampling {
                temperature,
                top_k: 20,
                top_p: 0.95,
                seed: 7,
                ..Default::default()
            };
            let options = Options {
                max_new_tokens: prompt.len() + 9 - ids.len(),
                ignore_eos: true,
                sampling,
                ..Options::default()
            };
            let fresh = Request::new(ids, options, &config).unwrap();
            let fresh = run(&file, &fresh, cache);
            let of =
                |key: &str| branch.iter().map(|step| step[key].clone()).collect::<Vec<_>>();
            assert_eq!(of("id"), fresh.generation.generated_ids, "{validated:?}, {kept}");
            assert_eq!(of("digest"), fresh.digests, "not the same bits: {validated:?}, {kept}");
            machine.draw(0.0, 0, 1.0, 0);
        }
    }
    assert_eq!(
        machine.branch(3, 0)["error"],
        "the text cannot be cut after 3 tokens: expected 4 to 12"
    );
    assert_eq!(
        machine.branch(5, config.vocab as u32)["error"],
        format!("there is no token {0}: found 0 to {1}", config.vocab, config.vocab - 1)
    );
}

#[test]
fn all_heads_at_once_are_each_head_and_shares_are_what_a_sampler_draws_from() {
    let mut machine = Machine::with_model();
    machine.begin("Once upon a time", Wish { new_tokens: 3, ..WISH });
    let steps = machine.steps();
    for position in [0, 5] {
        let all = machine.heads(position)["weights"].clone();
        for (layer, head) in [(0, 0), (2, 5), (5, 1)] {
            assert_eq!(all[layer][head], machine.attention(layer, head, position)["weights"]);
        }
    }
    machine.draw(1.0, 0, 1.0, 0);
    let plain = machine.shares(4);
    for (share, likely) in
        plain["shares"].as_array().unwrap().iter().zip(steps[0]["likely"].as_array().unwrap())
    {
        assert_eq!(share["id"], likely["id"]);
        let (a, b) = (share["drawn"].as_f64().unwrap(), likely["share"].as_f64().unwrap());
        assert!((a - b).abs() < 1e-5, "{a} {b}");
        assert_eq!(share["drawn"], share["plain"]);
    }
    machine.draw(1.0, 2, 1.0, 0);
    let two = machine.shares(4);
    assert_eq!(two["candidates"], 2);
    let drawn = |at: usize| two["shares"][at]["drawn"].as_f64().unwrap();
    assert!((drawn(0) + drawn(1) - 1.0).abs() < 1e-12 && drawn(2) == 0.0);
    machine.draw(0.0, 0, 1.0, 0);
    assert_eq!(machine.shares(4)["candidates"], 1);
    assert_eq!(machine.shares(3)["error"], "no token was chosen at position 3");
}

#[test]
fn whatever_comes_in_is_answered_in_one_line() {
    let mut machine = Machine::new();
    assert_eq!(machine.step()["error"], "nothing runs: begin a reply first");
    assert_eq!(machine.begin("x", WISH)["error"], "no model is open: open one first");
    assert_eq!(machine.open(b"")["error"], "the file is empty: download it again");
    let tiny = ground::embedded::tiny_qwen3_bytes();
    let mut random = ground::random::SplitMix64::new(1);
    for length in [3, 24, 4000] {
        let mut noise: Vec<u8> = (0..length).map(|_| random.draw() as u8).collect();
        machine.refuses_model(&noise);
        // The same with a beginning that looks right.
        let beginning = length.min(8);
        noise[..beginning].copy_from_slice(&tiny[..beginning]);
        machine.refuses_model(&noise);
    }
    for length in [4, 23, 1000, 60_000, tiny.len() - 1] {
        machine.refuses_model(&tiny[..length]);
    }
    let mut other = tiny.to_vec();
    let at = other.windows(5).position(|bytes| bytes == b"qwen3").unwrap();
    other[at] = b'Q';
    machine.refuses_model(&other);

    // What the native program says to the same.
    machine.open(tiny);
    let said = |words: &str| Value::from(words);
    let empty = "the prompt is empty: give the model at least one token to continue";
    assert_eq!(machine.begin("", WISH)["error"], said(empty));
    let text = "The quick brown fox jumps over a lazy dog. ".repeat(300);
    let file = ground::embedded::tiny_qwen3().unwrap();
    let found = Tokenizer::from_gguf(&file).unwrap().encode(&text).unwrap().len();
    assert!(found > 3000);
    let long = format!(
        "the prompt has {found} tokens, but this model's context holds 2048: shorten the prompt"
    );
    assert_eq!(machine.begin(&text, WISH)["error"], long);
    let far = machine.begin(&"word ".repeat(100_000), WISH)["error"].clone();
    assert!(
        far.as_str().unwrap().starts_with("the prompt has 500000 bytes, more than"),
        "{far}"
    );
    let bytes = machine.begin_with(b"\xff\xfe", WISH)["error"].clone();
    assert!(bytes.as_str().unwrap().starts_with("the prompt is not UTF-8"), "{bytes}");
    assert_eq!(machine.step()["error"], "nothing runs: begin a reply first");

    let none = machine.begin("Hi", Wish { new_tokens: 0, ..WISH });
    assert_eq!(none["ended"], "length");
    assert_eq!(machine.step()["error"], "the reply has ended (length): begin another");
    assert_eq!(
        machine.attention(0, 0, 0)["error"],
        "there is no row for position 0: found none"
    );

    let emoji = Wish { chat: true, new_tokens: 2, ..WISH };
    machine.begin("\u{1f600}\u{1f468}\u{200d}\u{1f469}\u{0301}\0<|im_end|>", emoji);
    assert_eq!(machine.steps().len(), 2);
}

/// A form of the answers that changed in the source, and not yet in the module.
#[test]
fn every_answer_has_the_form_that_the_source_gives_it() {
    let mut machine = Machine::new();
    let mut page = Page::default();
    let input = |page: &mut Page, bytes: &[u8]| {
        page.reserve(bytes.len()).unwrap().copy_from_slice(bytes);
    };
    let told = |page: &Page| serde_json::from_str::<Value>(page.result()).unwrap();

    let tiny = ground::embedded::tiny_qwen3_bytes();
    input(&mut page, tiny);
    page.open();
    let (mut opened, mut native) = (machine.open(tiny), told(&page));
    // Each has the instructions of its own machine.
    assert!(opened["backend"].take().is_string() && native["backend"].take().is_string());
    assert_eq!(opened, native);

    let (prompt, validated) = ("Who are you?", Wish { chat: true, new_tokens: 2, ..WISH });
    input(&mut page, prompt.as_bytes());
    page.begin(validated, prompt.len());
    assert_eq!(machine.begin(prompt, validated), told(&page));
    for _ in 0..3 {
        page.step();
        assert_eq!(machine.step(), told(&page)); // at last: the reply has ended
    }
    page.attention(1, 2, 3);
    assert_eq!(machine.attention(1, 2, 3), told(&page));
}

#[test]
fn the_module_asks_for_nothing_and_offers_what_a_page_calls() {
    let machine = Machine::new();
    assert_eq!(machine.imports(), [""; 0]);
    let expected = [
        "attention(i32, i32, i32) -> i32",
        "begin(i32, i32, i32, i32, i32, i32) -> i32",
        "branch(i32, i32) -> i32",
        "draw(f32, i32, f32, i32) -> ",
        "heads(i32) -> i32",
        "open() -> i32",
        "reserve(i32) -> i32",
        "result_length() -> i32",
        "result_pointer() -> i32",
        "shares(i32) -> i32",
        "step() -> i32",
    ];
    assert_eq!(machine.functions(), expected);
}
