//! Conversations: whatever was kept of them, not one bit differs from a run that starts anew.

use std::cell::Cell;
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::ops::Range;

use ch07_chat::backend::Backend;
use ch07_chat::cache::Mode;
use ch07_chat::compute::ComputeContext;
use ch07_chat::context::{Context, common_beginning};
use ch07_chat::conversation::{Conversation, Ended, Full, OnFull, Settings};
use ch07_chat::how::How;
use ch07_chat::recorder::system_clock;
use ch07_chat::session::Session;
use ground::chat::{ChatTemplate, Message, render};
use ground::embedded::tiny_qwen3;
use ground::error::Error;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::request::{FinishReason, Options, Request};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

fn open(file: &Gguf) -> Session<'_> {
    let backend = *Backend::available().last().expect("there is always one");
    let compute = ComputeContext::new(backend, 2).expect("a few threads start");
    Session::open(file, system_clock(), compute).expect("the model loads")
}

fn how(kv: Mode, chunk: usize) -> How {
    How { kv, prefill_chunk: NonZeroUsize::new(chunk).expect("not 0") }
}

fn settings() -> Settings {
    let options = Options { max_new_tokens: 8, ..Options::default() };
    Settings { options, think: false, on_full: OnFull::Stop }
}

/// As `settings`, but an answer may go on until the context is full.
fn unlimited() -> Settings {
    let options = Options { max_new_tokens: usize::MAX, ..Options::default() };
    Settings { options, ..settings() }
}

/// What a conversation is for the model, up to where the next answer begins.
fn ids(session: &Session, messages: &[Message], thinking: bool) -> Vec<u32> {
    let template = ChatTemplate::of(session.file, &session.tokenizer).expect("it has one");
    let rendered = template.render(messages, thinking, true).expect("it renders");
    template.encode(&rendered).expect("it has tokens")
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// What a run over all of `ids` gives that knows nothing of any other.
fn fresh(session: &Session, ids: &[u32]) -> (Vec<u32>, Context) {
    let all = how(Mode::Contiguous, 512);
    let cache = all.kv.cache(&session.model.config, ids.len()).expect("there is memory");
    let mut context = Context::new(cache, &all, ids.len());
    let logits = context.forward(&session.model, ids, &mut |_| true).expect("there is room");
    (bits(&logits.expect("nothing ends it")), context)
}

/// The bits of all keys and of all values of a layer.
fn rows(context: &Context, layer: usize) -> (Vec<u32>, Vec<u32>) {
    let (mut keys, mut values) = (Vec::new(), Vec::new());
    for (k, v) in context.blocks(layer) {
        keys.extend(k.iter().map(|number| number.to_bits()));
        values.extend(v.iter().map(|number| number.to_bits()));
    }
    (keys, values)
}

/// The context holds the rows that a fresh run has, and goes on from them to the same logits.
fn assert_fresh(session: &Session, context: &mut Context, ids: &[u32]) {
    let (expected, mut all) = fresh(session, ids);
    let kept = context.keep(ids);
    assert!(kept < ids.len(), "the last token is always computed");
    all.keep(&ids[..kept + 1]);
    for layer in 0..session.model.config.layers {
        // Without a cache there are no rows.
        if context.shape().is_none() {
            break;
        }
        let (k, v) = rows(context, layer);
        let (fresh_k, fresh_v) = rows(&all, layer);
        assert_eq!(
            k.len(),
            kept * session.model.config.kv_heads * session.model.config.head_dim
        );
        assert!(k == fresh_k, "keys of layer {layer}");
        assert!(v == fresh_v, "values of layer {layer}");
    }
    let logits = context.forward(&session.model, &ids[kept..], &mut |_| true);
    let logits = logits.expect("there is room").expect("nothing ends it");
    assert!(bits(&logits) == expected, "logits after {kept} kept");
}

/// What people do in a conversation.
#[derive(Clone, Debug)]
enum Step {
    Ask(String),
    Edit(prop::sample::Index, String),
    Undo,
    Reset,
    Think(bool),
    /// Ctrl-C at the first layer of the prompt.
    StopAtOnce(String),
    /// Ctrl-C when so many layers of the prompt are done.
    StopInPrompt(String, usize),
    /// Ctrl-C after so many pieces of the answer.
    StopInAnswer(String, usize),
}

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(vec![
        "What is the capital of France?",
        "Count to ten.",
        " one",
        "two ",
        "\n",
        "My name is Petra.",
        "\u{e9}\u{1f98a}",
        "What is my name?",
        "<think>",
        "</think>",
        "<|im_end|>",
        "",
    ]);
    prop::collection::vec(word, 0..4).prop_map(|words| words.concat())
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => text().prop_map(Step::Ask),
        2 => (any::<prop::sample::Index>(), text()).prop_map(|(at, text)| Step::Edit(at, text)),
        1 => Just(Step::Undo),
        1 => Just(Step::Reset),
        1 => any::<bool>().prop_map(Step::Think),
        1 => text().prop_map(Step::StopAtOnce),
        1 => (text(), 0..40usize).prop_map(|(text, layers)| Step::StopInPrompt(text, layers)),
        1 => (text(), 0..4usize).prop_map(|(text, deltas)| Step::StopInAnswer(text, deltas)),
    ]
}

#[derive(Clone, Debug)]
struct Talk {
    kv: Mode,
    chunk: usize,
    positions: usize,
    on_full: OnFull,
    temperature: f32,
    system: Option<String>,
    steps: Vec<Step>,
}

fn conversation() -> impl Strategy<Value = Talk> {
    (
        prop::sample::select(vec![
            Mode::Contiguous,
            Mode::Contiguous,
            Mode::Contiguous,
            Mode::Basic,
            Mode::Off,
        ]),
        prop::sample::select(vec![1, 3, 8, 512]),
        prop::sample::select(vec![40, 100, 2048, 2048]),
        any::<bool>(),
        any::<bool>(),
        prop::option::of(text()),
        prop::collection::vec(step(), 1..8),
    )
        .prop_map(|(kv, chunk, positions, forget, warm, system, steps)| Talk {
            kv,
            chunk,
            positions,
            on_full: if forget { OnFull::Forget } else { OnFull::Stop },
            temperature: if warm { 0.9 } else { 0.0 },
            system,
            steps,
        })
}

fn user(content: &str) -> Message {
    Message { role: "user".into(), content: content.into() }
}

/// Asks, and compares the answer with that of a run over the whole, and the cost with what was kept.
fn ask(session: &Session, talk: &mut Conversation, question: &str) {
    let before = talk.messages.clone();
    let held = talk.context.ids().to_vec();
    let mut printed = String::new();
    let turn = talk.ask(question, &mut |_| true, |delta| {
        printed.push_str(delta);
        Ok(())
    });
    let turn = match turn {
        Ok(turn) => turn,
        Err(error) => {
            assert_full(&error);
            assert_eq!(talk.messages, before, "{error}");
            return;
        }
    };
    assert_eq!((&turn.text, turn.taken_back), (&printed, false));
    let (answer, asked) = talk.messages.split_last().expect("an answer");
    assert_eq!(answer.role, "assistant");
    assert!(answer.content.starts_with(&turn.text));
    let system = before.first().is_some_and(|message| message.role == "system") as usize;
    let mut expected = before.clone();
    expected.drain(system..system + turn.dropped);
    expected.push(user(question));
    assert_eq!(asked, expected, "all but the oldest {}", turn.dropped);

    let ids = ids(session, asked, talk.settings.think);
    let kept = match talk.context.shape() {
        None => 0,
        Some(_) => common_beginning(&held, &ids).min(ids.len() - 1),
    };
    assert_eq!((turn.tokens, turn.kept, turn.computed), (ids.len(), kept, ids.len() - kept));
    let longest = talk.context.positions() - ids.len() + 1;
    let mut options = talk.settings.options.clone();
    let ended = if options.max_new_tokens > longest { Ended::Full } else { Ended::Length };
    options.sampling.seed = turn.seed;
    options.max_new_tokens = options.max_new_tokens.min(longest);
    let request = Request::new(ids, options, &session.model.config).expect("it fits");
    let whole =
        session.generate(&request, &how(Mode::Contiguous, 512), &mut |_| true, |_| Ok(()));
    let whole = whole.expect("nothing ends it").0;
    assert_eq!((turn.text, turn.generated), (whole.text, whole.generated_ids.len()));
    let ended = match whole.finish_reason {
        FinishReason::Eos => Ended::Eos,
        FinishReason::Stop => Ended::Stop,
        FinishReason::Length => ended,
        FinishReason::Interrupted => Ended::Interrupted,
    };
    assert_eq!(turn.ended, ended);
}

fn assert_full(error: &Error) {
    let Error::Chapter(reason) = error else { panic!("{error}") };
    assert!(reason.is::<Full>(), "{error}");
    assert_eq!(error.to_string().lines().count(), 1);
}

fn run<'a>(session: &'a Session<'a>, plan: &Talk) {
    let Talk { kv, chunk, positions, on_full, temperature, system, steps } = plan.clone();
    let mut settings = Settings { on_full, ..settings() };
    settings.options.sampling.temperature = temperature;
    let mut talk =
        Conversation::new(session, &how(kv, chunk), Some(positions), system.clone(), settings)
            .expect("there is memory");
    for step in steps {
        let before = talk.messages.clone();
        match step {
            Step::Ask(question) => ask(session, &mut talk, &question),
            Step::Edit(at, text) => {
                if !talk.messages.is_empty() {
                    let at = at.index(talk.messages.len());
                    talk.messages[at].content = text;
                }
            }
            Step::Undo => {
                let question = talk.undo();
                let turns = before.len() - usize::from(system.is_some());
                assert_eq!(question.is_some(), turns > 0);
                assert_eq!(
                    talk.messages,
                    before[..before.len() - if turns > 0 { 2 } else { 0 }]
                );
            }
            Step::Reset => {
                talk.reset();
                assert_eq!(talk.messages, before[..usize::from(system.is_some())]);
            }
            Step::Think(think) => talk.settings.think = think,
            Step::StopAtOnce(question) => {
                match talk.ask(&question, &mut |_| false, |_| Ok(())) {
                    Ok(turn) => {
                        assert!(turn.taken_back && turn.generated == 0, "{turn:?}");
                        assert_eq!(turn.ended, Ended::Interrupted);
                    }
                    Err(error) => assert_full(&error),
                }
                assert_eq!(talk.messages, before, "the question was taken back");
            }
            Step::StopInPrompt(question, layers) => {
                let mut messages = before.clone();
                messages.push(user(&question));
                let ids = ids(session, &messages, talk.settings.think);
                if ids.len() <= positions {
                    interrupt(session, &mut talk.context, &ids, layers);
                }
            }
            Step::StopInAnswer(question, deltas) => {
                let (mut printed, count) = (String::new(), Cell::new(0));
                let turn = talk.ask(&question, &mut |_| count.get() <= deltas, |delta| {
                    printed.push_str(delta);
                    count.set(count.get() + 1);
                    Ok(())
                });
                match turn {
                    Ok(turn) if turn.taken_back => {
                        assert_eq!((turn.ended, turn.text.as_str()), (Ended::Interrupted, ""));
                        assert_eq!(talk.messages, before, "the question was taken back");
                    }
                    Ok(turn) => {
                        let answer = talk.messages.last().expect("an answer");
                        assert!(answer.content.starts_with(&printed), "{turn:?}");
                        assert_eq!((answer.role.as_str(), &turn.text), ("assistant", &printed));
                    }
                    Err(error) => {
                        assert_full(&error);
                        assert_eq!(talk.messages, before);
                    }
                }
            }
        }
        // What the next question would start from.
        let mut next = talk.messages.clone();
        next.push(user("Why?"));
        let ids = ids(session, &next, talk.settings.think);
        let rows = talk.context.ids().len();
        assert_eq!(talk.context.shape().map_or(0, |shape| shape.length), rows);
        assert!(rows <= positions);
        if ids.len() <= positions {
            assert_fresh(session, &mut talk.context, &ids);
        }
    }
}

/// Computes `ids` until so many layers are done.
fn interrupt(session: &Session, context: &mut Context, ids: &[u32], layers: usize) {
    let kept = context.keep(ids);
    let mut done = 0;
    let result = context.forward(&session.model, &ids[kept..], &mut |_| {
        done += 1;
        done <= layers
    });
    assert_eq!(result.expect("there is room").is_none(), done > layers);
    assert_eq!(context.ids(), &ids[..context.ids().len()], "only what was asked for");
    assert!(context.shape().is_none() || context.ids().len() >= kept, "what was kept stays");
}

#[test]
fn every_turn_is_that_of_a_fresh_run() {
    conversations(12);
}

#[test]
#[ignore = "cargo prove: sixty conversations"]
fn every_turn_of_sixty_conversations_is_that_of_a_fresh_run() {
    conversations(60);
}

fn conversations(cases: u32) {
    let file = tiny_qwen3().expect("it opens");
    let session = open(&file);
    let mut runner =
        TestRunner::new(Config { cases, failure_persistence: None, ..Config::default() });
    let result = runner.run(&conversation(), |plan| {
        run(&session, &plan);
        Ok(())
    });
    result.expect("the same bits");
}

/// The same for models that know no template: texts of random tokens that grow, change in the middle, or end earlier.
#[test]
fn models_of_other_shapes_go_on_from_what_they_kept() {
    other_shapes(0..20);
}

#[test]
#[ignore = "cargo prove: the rest of two hundred texts"]
fn models_of_other_shapes_go_on_from_what_they_kept_in_two_hundred_texts() {
    other_shapes(20..200);
}

fn other_shapes(seeds: Range<u64>) {
    for name in ["three-to-one-odd-vocab", "untied-one-kv"] {
        let path = format!("tests/fixtures/models/{name}.gguf");
        let path = test_support::root().join(path);
        let file = Gguf::open(&path).expect("it opens");
        let session = open(&file);
        let vocab = session.model.config.vocab;
        for seed in seeds.clone() {
            let mut random = SplitMix64::new(seed);
            let mode =
                [Mode::Contiguous, Mode::Basic, Mode::Contiguous, Mode::Off][random.below(4)];
            let chunk = [1, 2, 7, 512][random.below(4)];
            let cache = mode.cache(&session.model.config, 200).expect("memory");
            let mut context = Context::new(cache, &how(mode, chunk), 200);
            let mut ids = Vec::new();
            for _ in 0..6 {
                match random.below(4) {
                    0 if !ids.is_empty() => {
                        let at = random.below(ids.len());
                        ids[at] = random.below(vocab) as u32;
                    }
                    1 => ids.truncate(random.below(ids.len() + 1)),
                    _ => {}
                }
                let new = 1 + random.below(20);
                ids.extend((0..new).map(|_| random.below(vocab) as u32));
                if random.below(3) == 0 {
                    interrupt(&session, &mut context, &ids, random.below(30));
                }
                assert_fresh(&session, &mut context, &ids);
            }
        }
    }
}

/// Asks the same until something happens.
fn talk_on(talk: &mut Conversation, questions: usize) -> Vec<Result<usize, String>> {
    (0..questions)
        .map(|_| match talk.ask("What is the capital of France?", &mut |_| true, |_| Ok(())) {
            Ok(turn) => Ok(turn.dropped),
            Err(error) => Err(error.to_string()),
        })
        .collect()
}

#[test]
fn a_full_context_refuses_or_forgets() {
    let file = tiny_qwen3().expect("it opens");
    let session = open(&file);
    let start = |positions, on_full| {
        let settings = Settings { on_full, ..unlimited() };
        let system = Some("You are a friendly teacher.".to_owned());
        let how = how(Mode::Contiguous, 512);
        Conversation::new(&session, &how, positions, system, settings)
    };
    let mut talk = start(Some(120), OnFull::Stop).expect("there is memory");
    assert_eq!(talk.fill().expect("it renders").1, 0, "nothing was computed yet");
    let turns = talk_on(&mut talk, 10);
    let fits = turns.iter().take_while(|turn| turn.is_ok()).count();
    assert!((2..9).contains(&fits), "{turns:?}");
    for turn in &turns[fits..] {
        let refusal = turn.as_ref().expect_err("it stays full");
        assert_eq!(Some(refusal), turns[fits].as_ref().err());
        assert!(refusal.ends_with("the context holds 120"), "{refusal}");
    }
    assert_eq!(talk.messages.len(), 1 + 2 * fits);
    // What is said of the cache is true after a question was taken back, too.
    let (tokens, rows) = talk.fill().expect("it renders");
    assert!(rows > tokens / 2, "{rows} of {tokens}");
    talk.undo();
    let (fewer, left) = talk.fill().expect("it renders");
    assert!(
        fewer < tokens && left <= fewer,
        "{left} of {fewer}, and {rows} of {tokens} before"
    );
    assert_eq!(talk_on(&mut talk, 1), [Ok(0)], "there is room again");
    talk.reset();
    let (tokens, rows) = talk.fill().expect("it renders");
    assert!(0 < tokens && tokens < fewer && rows <= tokens, "the system message is left");

    let mut talk = start(Some(120), OnFull::Forget).expect("there is memory");
    let turns = talk_on(&mut talk, 30);
    let dropped: Vec<usize> = turns.into_iter().map(|turn| turn.expect("it forgets")).collect();
    assert!(dropped.iter().any(|dropped| *dropped > 2), "more than has to: {dropped:?}");
    assert!(dropped.iter().filter(|dropped| **dropped > 0).count() < 15, "rarely: {dropped:?}");
    assert_eq!(talk.messages[0].role, "system", "it stays");
    for pair in talk.messages[1..].chunks(2) {
        assert_eq!([&pair[0].role, &pair[1].role], ["user", "assistant"]);
        assert_eq!(pair[1].content, "The capital of France is Paris.", "whole answers only");
    }
    let before = talk.messages.clone();
    let error =
        talk.ask(&"What is the capital of France? ".repeat(20), &mut |_| true, |_| Ok(()));
    let error = error.expect_err("it is too long alone").to_string();
    assert!(error.contains("alone, this question has") && error.contains("120"), "{error}");
    assert_eq!(talk.messages, before, "nothing was dropped for it");
    let error = talk
        .ask(&"x".repeat(100_000), &mut |_| true, |_| Ok(()))
        .expect_err("it is far too long");
    assert!(error.to_string().contains("100"), "{error}");

    let error = start(Some(2049), OnFull::Stop).err().expect("the model has fewer").to_string();
    assert!(error.contains("2049 positions") && error.contains("2048"), "{error}");
    assert_eq!(start(None, OnFull::Stop).expect("memory").context.positions(), 2048);
}

/// At a temperature this high all tokens are as likely as each other: an answer shows nothing but what was drawn.
#[test]
fn no_two_answers_draw_alike_and_a_run_repeats() {
    draws(20);
}

#[test]
#[ignore = "cargo prove: sixty answers, six times"]
fn no_two_of_sixty_answers_draw_alike() {
    draws(60);
}

fn draws(count: usize) {
    let file = tiny_qwen3().expect("it opens");
    let session = open(&file);
    let answers = |on_full, seed| {
        let mut settings = Settings { on_full, ..settings() };
        (settings.options.ignore_eos, settings.options.max_new_tokens) = (true, 6);
        (settings.options.sampling.temperature, settings.options.sampling.seed) = (1e9, seed);
        let how = how(Mode::Contiguous, 512);
        let positions = if on_full == OnFull::Forget { 100 } else { 2048 };
        let mut talk = Conversation::new(&session, &how, Some(positions), None, settings)
            .expect("there is memory");
        let (mut texts, mut dropped) = (Vec::new(), 0);
        for number in 0..count {
            let turn = talk
                .ask("Why?", &mut |_| true, |_| Ok(()))
                .expect("there is room, or it is made");
            dropped += turn.dropped;
            texts.push(turn.text);
            // What is taken back was drawn all the same.
            match number % 40 {
                39 => talk.reset(),
                7 | 8 => drop(talk.undo()),
                _ => {}
            }
        }
        assert_eq!(dropped > 0, on_full == OnFull::Forget);
        texts
    };
    for on_full in [OnFull::Stop, OnFull::Forget] {
        let texts = answers(on_full, 5);
        let different: HashSet<&String> = texts.iter().collect();
        assert_eq!(different.len(), count, "{on_full:?}: answers that drew the same numbers");
        assert_eq!(texts, answers(on_full, 5), "{on_full:?}: the same seed");
        assert!(texts != answers(on_full, 1000), "{on_full:?}: another seed");
    }
}

/// What was thought does not come back: the template leaves it out, also where Ctrl-C cut it short.
#[test]
fn a_thought_that_was_cut_short_does_not_come_back() {
    let file = tiny_qwen3().expect("it opens");
    let session = open(&file);
    let settings = Settings { think: true, ..unlimited() };
    let how = how(Mode::Contiguous, 512);
    let mut talk =
        Conversation::new(&session, &how, None, None, settings).expect("there is memory");
    let deltas = Cell::new(0);
    let turn = talk.ask("What is the capital of France?", &mut |_| deltas.get() < 5, |_| {
        deltas.set(deltas.get() + 1);
        Ok(())
    });
    let turn = turn.expect("that is no error");
    assert!(turn.ended == Ended::Interrupted && turn.text.starts_with("<think>"), "{turn:?}");
    assert_eq!(turn.generated, 5);
    assert!(!turn.text.contains("</think>"), "{turn:?}");
    talk.messages.push(user("And now?"));
    let template = file.text("tokenizer.chat_template").expect("it has one");
    let text = render(template, &talk.messages, true, true).expect("it renders");
    let thought = turn.text.trim_start_matches("<think>").trim();
    assert!(!thought.is_empty() && !text.contains(thought), "{text:?}");
}
