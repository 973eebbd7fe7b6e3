//! A decoder that is given logits says what `generate` says, which asks for them.

use std::sync::LazyLock;
use std::time::Duration;

use ch09_serve::cache::{KvType, Mode};
use ch09_serve::context::Context;
use ch09_serve::decoder::{Decoder, EngineRequest};
use ch09_serve::generate::generate;
use ch09_serve::how::{How, PREFILL_CHUNK};
use ch09_serve::recorder::Recorder;
use ground::config::Config;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::request::{FinishReason, Generation, Options, Request, Step, Token};
use ground::sample::Sampling;
use ground::tokenizer::Tokenizer;

static FILE: LazyLock<Gguf> =
    LazyLock::new(|| ground::embedded::tiny_qwen3().expect("it opens"));
static TOKENIZER: LazyLock<Tokenizer> =
    LazyLock::new(|| Tokenizer::from_gguf(&FILE).expect("it has one"));
static CONFIG: LazyLock<Config> =
    LazyLock::new(|| Config::from_gguf(&FILE).expect("it is sound"));

/// Logits that are another row for every beginning of a text: nothing is learnt, everything is noise.
fn noise(ids: &[u32]) -> Vec<f32> {
    let mix = |all: u64, &id: &u32| (all ^ u64::from(id)).wrapping_mul(0x0100_0000_01b3);
    let mut random = SplitMix64::new(ids.iter().fold(0xcbf2_9ce4_8422_2325, mix));
    (0..CONFIG.vocab).map(|_| random.below(1 << 20) as f32 / (1 << 16) as f32 - 8.0).collect()
}

/// These ids one after the other, each with the others' noise far below it.
fn script(script: &[u32], prompt: usize) -> impl Fn(&[u32]) -> Vec<f32> {
    let script = script.to_vec();
    move |ids: &[u32]| {
        let mut logits = noise(ids);
        logits[script[(ids.len() - prompt) % script.len()] as usize] += 50.0;
        logits
    }
}

fn asked(options: Options) -> EngineRequest {
    let request = Request::new(vec![5, 17, 300], options, &CONFIG).expect("a request");
    EngineRequest { request, bias: Vec::new(), likely: None }
}

/// All steps of a decoder, and its ids.
fn steps(asked: &EngineRequest, logits: &dyn Fn(&[u32]) -> Vec<f32>) -> (Vec<Step>, Vec<u32>) {
    let mut decoder = Decoder::new(asked, &TOKENIZER).expect("a decoder");
    let mut steps = Vec::new();
    loop {
        let step = decoder.take(&logits(&decoder.ids)).expect("a step");
        let finish = step.finish;
        steps.push(step);
        assert_eq!(decoder.generated(), steps.len());
        assert!(steps.len() <= asked.request.max_new_tokens(), "it goes on and on");
        if finish.is_some() {
            return (steps, decoder.ids);
        }
    }
}

fn generated(request: &Request, logits: &dyn Fn(&[u32]) -> Vec<f32>) -> Generation {
    let clock = || Duration::ZERO;
    let how = How { kv: Mode::Off, prefill_chunk: PREFILL_CHUNK };
    let mut context = Context::new(None, &how, 0);
    let forward = |_: &mut Context, ids: &[u32]| -> Result<_, Error> { Ok(Some(logits(ids))) };
    let mut recorder = Recorder::new(&clock);
    generate(request, &TOKENIZER, &mut recorder, &mut context, forward, |_| Ok(()))
        .expect("it ends")
}

/// Both say the same: ids, text and end.
fn assert_same(
    what: &str,
    asked: &EngineRequest,
    logits: &dyn Fn(&[u32]) -> Vec<f32>,
) -> Vec<Step> {
    let expected = generated(&asked.request, logits);
    let (steps, ids) = steps(asked, logits);
    let text: String = steps.iter().map(|step| step.text.as_str()).collect();
    assert_eq!(ids[3..], expected.generated_ids, "{what}");
    assert_eq!(text, expected.text, "{what}");
    assert_eq!(
        steps.last().and_then(|step| step.finish),
        Some(expected.finish_reason),
        "{what}"
    );
    assert!(steps.iter().rev().skip(1).all(|step| step.finish.is_none()), "{what}");
    steps
}

fn ids(text: &str) -> Vec<u32> {
    TOKENIZER.encode(text).expect("it has tokens")
}

/// Ids of single bytes, where the vocabulary has them: characters come in halves.
fn bytes(text: &str) -> Vec<u32> {
    let id = |byte: u8| {
        let is = |&id: &u32| TOKENIZER.printed_bytes(id).is_ok_and(|bytes| bytes == [byte]);
        (0..CONFIG.vocab as u32).find(is).expect("a token for each byte")
    };
    text.bytes().map(id).collect()
}

#[test]
fn noise_is_drawn_alike() {
    let mut random = SplitMix64::new(9);
    for seed in 0..60 {
        let sampling = Sampling {
            temperature: [0.0, 0.3, 1.0, 2.0][seed % 4],
            top_k: [0, 1, 40][seed % 3],
            top_p: [1.0, 0.9, 0.3, 0.0][seed / 4 % 4],
            repetition_penalty: [1.0, 1.3][seed % 2],
            seed: random.draw(),
        };
        let max_new_tokens = 1 + random.below(20);
        let options = Options { sampling, max_new_tokens, ..Options::default() };
        assert_same(&format!("{options:?}"), &asked(options), &noise);
    }
}

#[test]
fn a_reply_ends_where_generate_ends() {
    let end = CONFIG.eos_ids[0];
    let story = ids(" a girl named Orla lived by the sea, far from all the others.");
    let first =
        String::from_utf8_lossy(TOKENIZER.printed_bytes(story[0]).expect("text")).into_owned();
    let all = |from: &[u32], then: &[u32]| [from, then].concat();
    use FinishReason::{Eos, Length, Stop};
    let (story, emoji) = (&story[..], &bytes("a😀b")[..]);
    let (ended, one_end) = (all(story, &[end]), all(&story[..1], &[end]));
    let (half, replaced) = (all(&emoji[..3], &[end]), all(&emoji[..2], &bytes("xyz")));
    // At most so many tokens, what stops it, what the model says, how it ends, what is said.
    for (what, most, stop, ids, finish, text) in [
        ("length", 4, &[][..], story, Length, None),
        ("one token", 1, &[], story, Length, None),
        ("an end token", 40, &[], &ended, Eos, None),
        ("an end token at once", 40, &[], &[end], Eos, Some("")),
        ("an end token as the last one", 2, &[], &one_end, Eos, None),
        ("an end token is no end", 6, &[], &all(&story[..2], &[end]), Length, None),
        ("a stop in one token", 40, &["named"], story, Stop, Some(" a girl ")),
        ("a stop across tokens", 40, &["rla lived b"], story, Stop, Some(" a girl named O")),
        ("the first token is the stop", 40, &[first.as_str()], story, Stop, Some("")),
        ("two stops", 40, &["by", "lived"], story, Stop, Some(" a girl named Orla ")),
        ("a stop that never ends", 9, &[" sea, far from nothing"], story, Length, None),
        ("held back until the end token", 40, &[". The"], &ended, Eos, None),
        ("a character in bytes", 6, &[], emoji, Length, Some("a😀b")),
        ("a stop behind a character in bytes", 6, &["b"], emoji, Stop, Some("a😀")),
        ("a stop that is a character in bytes", 6, &["😀"], emoji, Stop, Some("a")),
        ("half a character at the limit", 3, &[], emoji, Length, Some("a\u{fffd}")),
        ("half a character at the end token", 9, &[], &half, Eos, Some("a\u{fffd}")),
        ("half a character, then others", 5, &[], &replaced, Length, Some("a\u{fffd}xyz")),
    ] {
        let asked = asked(Options {
            max_new_tokens: most,
            stop: stop.iter().map(|stop| stop.to_string()).collect(),
            ignore_eos: what == "an end token is no end",
            ..Options::default()
        });
        let steps = assert_same(what, &asked, &script(ids, 3));
        assert_eq!(steps.last().and_then(|step| step.finish), Some(finish), "{what}");
        let found: String = steps.iter().map(|step| step.text.as_str()).collect();
        assert!(text.is_none_or(|text| text == found), "{what}: {found:?}");
        // Only the last step may hold half a character, as the sign that says so.
        let halves = |step: &Step| step.text.contains('\u{fffd}');
        let early = steps.iter().rev().skip(1).any(halves);
        assert!(!early || what == "half a character, then others", "{what}");
    }
}

/// Stop strings cut out of what is said without them, anywhere: across tokens, across characters in pieces.
#[test]
fn any_stop_string_stops_alike() {
    let mut random = SplitMix64::new(4);
    let text = "Öl, 😀 and 日本語: ä😀😀b. The end\n\nof it";
    let (whole, pieces) = (ids(text), bytes(text));
    for round in 0..300 {
        let script_ids = if round % 2 == 0 { &whole } else { &pieces };
        let letters: Vec<char> = text.chars().collect();
        let stop: Vec<String> = (0..1 + random.below(3))
            .map(|_| {
                let from = random.below(letters.len());
                let length = 1 + random.below(5);
                letters[from..letters.len().min(from + length)].iter().collect()
            })
            .collect();
        let options = Options { stop, max_new_tokens: script_ids.len(), ..Options::default() };
        let what = format!("{:?}", options.stop);
        let steps = assert_same(&what, &asked(options), &script(script_ids, 3));
        assert_eq!(
            steps.last().and_then(|step| step.finish),
            Some(FinishReason::Stop),
            "{what}"
        );
    }
}

#[test]
fn bias_is_added_before_anything_is_drawn() {
    for (seed, temperature) in [(1, 0.0), (2, 1.0), (3, 0.7)] {
        let sampling = Sampling { temperature, seed, top_p: 0.95, ..Sampling::default() };
        let options = Options { sampling, max_new_tokens: 12, ..Options::default() };
        let biased = EngineRequest {
            bias: vec![(3, 4.5), (700, -100.0), (11, 7.25)],
            ..asked(options.clone())
        };
        let by_hand = |ids: &[u32]| {
            let mut logits = noise(ids);
            logits[3] += 4.5;
            logits[700] -= 100.0;
            logits[11] += 7.25;
            logits
        };
        let expected = generated(&asked(options.clone()).request, &by_hand);
        assert_eq!(steps(&biased, &noise).1[3..], expected.generated_ids, "{temperature}");
        let plain = generated(&asked(options).request, &noise);
        assert_ne!(plain.generated_ids, expected.generated_ids, "it changes something");
        // With a hundred nothing else is said; without a hundred one is never said.
        let only = EngineRequest { bias: vec![(42, 100.0)], ..biased.clone() };
        assert!(steps(&only, &noise).1[3..].iter().all(|&id| id == 42));
        let end = EngineRequest { bias: vec![(CONFIG.eos_ids[0], 100.0)], ..biased };
        let (steps, _) = steps(&end, &noise);
        assert_eq!((steps.len(), steps[0].finish), (1, Some(FinishReason::Eos)));
    }
}

/// `ln(exp(x) / sum)` as one would write it, in f64.
fn log_probability(logits: &[f32], id: u32) -> f64 {
    let wide = |logit: f32| f64::from(logit);
    let largest = logits.iter().copied().map(wide).fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logits.iter().map(|&logit| (wide(logit) - largest).exp()).sum();
    wide(logits[id as usize]) - largest - sum.ln()
}

#[test]
fn how_likely_a_token_was_is_what_f64_says() {
    let near = |found: f32, logits: &[f32], id: u32| {
        let expected = log_probability(logits, id);
        let differs = (f64::from(found) - expected).abs();
        assert!(differs < 1e-5 * expected.abs().max(1.0), "{id}: {found}, expected {expected}");
    };
    for count in [0, 1, 5, 20] {
        for temperature in [0.0, 1.0] {
            let sampling = Sampling { temperature, seed: 3, ..Sampling::default() };
            let options = Options {
                sampling,
                max_new_tokens: 20,
                ignore_eos: true,
                ..Options::default()
            };
            // Neither the bias nor the temperature is in it: it is the model's own opinion.
            let asked =
                EngineRequest { likely: Some(count), bias: vec![(9, 6.0)], ..asked(options) };
            for logits in
                [&noise as &dyn Fn(&[u32]) -> Vec<f32>, &script(&ids(" Once upon"), 3)]
            {
                let (steps, ids) = steps(&asked, logits);
                for (at, step) in steps.iter().enumerate() {
                    let logits = logits(&ids[..3 + at]);
                    let Token { id, logprob, likely } =
                        step.token.as_ref().expect("it is told");
                    assert_eq!(*id, ids[3 + at]);
                    near(*logprob, &logits, *id);
                    assert_eq!(likely.len(), count);
                    let mut order: Vec<u32> = (0..logits.len() as u32).collect();
                    order.sort_by(|&a, &b| {
                        logits[b as usize].total_cmp(&logits[a as usize]).then(a.cmp(&b))
                    });
                    let found: Vec<u32> = likely.iter().map(|&(id, _)| id).collect();
                    assert_eq!(found, order[..count]);
                    likely.iter().for_each(|&(id, logprob)| near(logprob, &logits, id));
                }
            }
        }
    }
    let (steps, _) = steps(&asked(Options { max_new_tokens: 2, ..Options::default() }), &noise);
    assert!(steps.iter().all(|step| step.token.is_none()), "nobody has asked");
}

/// With the model itself, through its cache: as the command line computes.
#[test]
fn the_model_says_the_same_through_a_cache() {
    use ch09_serve::backend::Backend;
    use ch09_serve::compute::ComputeContext;
    use ch09_serve::session::Session;
    let compute = ComputeContext::new(Backend::choose("auto").expect("one"), 2)
        .expect("two threads start");
    let session =
        Session::open(&FILE, || Duration::ZERO, compute, KvType::F16).expect("it opens");
    let how = How { kv: Mode::Contiguous, prefill_chunk: PREFILL_CHUNK };
    let cache = || how.kv.cache(&CONFIG, KvType::F16, 200).expect("there is room");
    let mut shared = Context::new(cache(), &how, 200);
    for (text, temperature, seed) in [
        ("Once upon a time", 0.0, 0),
        ("Once upon a time", 0.8, 7),
        ("Once upon", 0.8, 7),
        ("The little lantern", 1.0, 9),
        ("Once upon a time", 0.0, 0),
    ] {
        let sampling = Sampling { temperature, seed, ..Sampling::default() };
        let options = Options { sampling, max_new_tokens: 24, ..Options::default() };
        let request = Request::new(ids(text), options, &CONFIG).expect("a request");
        let asked = EngineRequest { request, bias: Vec::new(), likely: None };
        let watch = &mut |_| true;
        let expected = session.generate(&asked.request, &how, watch, |_| Ok(()));
        let expected = expected.expect("it runs").0;
        let mut decoder = Decoder::new(&asked, &TOKENIZER).expect("a decoder");
        // What the one before has left in the cache changes nothing.
        shared.keep(&decoder.ids);
        let mut found = String::new();
        loop {
            let new = decoder.ids[shared.ids().len()..].to_vec();
            let logits = shared.forward(&session.model, &new, &mut |_| true);
            let logits = logits.expect("there is room").expect("nothing ends it");
            let step = decoder.take(&logits).expect("a step");
            found += &step.text;
            if step.finish.is_some() {
                assert_eq!(step.finish, Some(expected.finish_reason), "{text}");
                break;
            }
        }
        assert_eq!(found, expected.text, "{text}");
        assert_eq!(decoder.ids[asked.request.prompt_ids().len()..], expected.generated_ids);
    }
}
