//! The real checkpoint, or any other file of its size. It takes minutes and gigabytes, so it runs only when asked:
//! `cargo run --release -- verify models/Qwen3-0.6B-Q8_0.gguf`.
//!
//! One thread, because each test may take 3 GB, and because what comes next is said at the end.
//!
//! Any file must be equal to itself: every way of every chapter, bit for bit, greedy and drawn, and at every position also
//! without a cache. Of the official one it is also known what it must answer. Its exact tokens are not pinned here, since
//! that file could not be had where this was written. They are pinned with you: what each chapter answers is noted in
//! `my/real-checkpoint.json` under the file's SHA-256, and the next run of it must answer the same, to the bit.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use catalog::manifest::Way;
use ground::gguf::Gguf;
use ground::tokenizer::Tokenizer;
use judge::{Answer, Engine, Question, build, ways};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use test_support::root;

/// `Qwen3-0.6B-Q8_0.gguf` of `Qwen/Qwen3-0.6B-GGUF`: 639,446,688 bytes.
const OFFICIAL: &str = "9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031";
/// What each chapter answered, in a file of the reader's.
const NOTES: &str = "my/real-checkpoint.json";
/// How many positions are compared bit by bit.
const POSITIONS: usize = 64;
/// How many of them are the prompt.
const PROMPT: usize = 16;
const LOGITS: usize = 100;

fn path() -> PathBuf {
    let Some(path) = std::env::var_os("QWEN3_GGUF") else {
        panic!(
            "set QWEN3_GGUF to a Qwen3 model file: the official Qwen3-0.6B-Q8_0.gguf, which \
             `cargo run -- download` fetches, or one that `cargo run --release -- synth` wrote"
        );
    };
    // A relative path means the folder of the repository, where the command was typed.
    root().join(path)
}

/// Ids that are spread over the vocabulary.
fn some_ids(count: usize) -> Vec<u32> {
    let file =
        Gguf::open(&path()).unwrap_or_else(|error| panic!("{}: {error}", path().display()));
    let tokenizer = Tokenizer::from_gguf(&file).expect("the vocabulary is sound");
    let text =
        "The cache keeps what was computed, so that it is never computed again. ".repeat(8);
    tokenizer.encode(&text).expect("it is text")[..count].to_vec()
}

fn engines() -> Vec<Engine> {
    build::all(&root()).expect("the chapters build")
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn with_qwen3_gguf_every_way_of_a_chapter_gives_the_same_bits() {
    let prompt = some_ids(PROMPT);
    for engine in engines() {
        for drawn in [&[][..], &["--temperature=0.7", "--seed=42"]] {
            let mut remembered: Option<Answer> = None;
            for way in engine.ways_here().filter(|way| !way.recomputes) {
                let question = Question::greedy(&path(), &prompt, POSITIONS - PROMPT, LOGITS);
                let question = question.with(drawn);
                let answer = asked(&engine, way, &question);
                let first = remembered.get_or_insert_with(|| answer.clone());
                ways::same(&engine, way, &question, &answer, first, "as in the first way")
                    .unwrap_or_else(|wrong| panic!("\n{wrong}"));
                println!("{} {:?} {drawn:?}: the same bits", engine.name, way.flags);
            }
        }
    }
}

/// In one pass over the whole text without a cache, and token by token with one. The first three chapters have one
/// definition of the result, and so one of these states.
#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn with_qwen3_gguf_every_position_is_that_of_a_run_without_a_cache() {
    let (prompt, whole) = (some_ids(PROMPT), some_ids(POSITIONS));
    let mut before: Option<Vec<Vec<Vec<f32>>>> = None;
    for engine in engines() {
        let states = |way: &Way, question: Question| {
            asked(&engine, way, &question.with(&["--layer-states"])).layer_states
        };
        let uncached = engine.ways_here().find(|way| way.recomputes).expect("one recomputes");
        let wanted = states(uncached, Question::greedy(&path(), &whole, 1, 1));
        assert_eq!(wanted[0].len(), POSITIONS, "{}", engine.name);
        if ["ch01", "ch02"].iter().any(|name| engine.name.starts_with(name)) {
            assert_states(before.as_ref().expect("a chapter before"), &wanted, &engine.name);
        }
        for way in engine.ways_here().filter(|way| !way.recomputes) {
            let what = format!("{} {:?}", engine.name, way.flags);
            assert_states(
                &states(way, Question::greedy(&path(), &whole, 1, 1)),
                &wanted,
                &what,
            );
            // Its own tokens, one at a time, and then the same text at once without the cache.
            let question = Question::greedy(&path(), &prompt, POSITIONS - PROMPT + 1, 1);
            let answer = asked(&engine, way, &question.with(&["--layer-states"]));
            let fed = &answer.generated_ids[..POSITIONS - PROMPT];
            let text = [&prompt[..], fed].concat();
            let wanted = states(uncached, Question::greedy(&path(), &text, 1, 1));
            assert_states(&answer.layer_states, &wanted, &what);
            println!("{what}: the same states at {POSITIONS} positions");
        }
        before = Some(wanted);
    }
}

fn asked(engine: &Engine, way: &Way, question: &Question) -> Answer {
    engine.ask(way, question).unwrap_or_else(|wrong| panic!("\n{wrong}"))
}

/// Every number of every position after every layer, to the bit.
fn assert_states(found: &[Vec<Vec<f32>>], wanted: &[Vec<Vec<f32>>], what: &str) {
    let bits = |row: &[f32]| row.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
    assert_eq!(found.len(), wanted.len(), "{what}: layers");
    for (stage, (found, wanted)) in found.iter().zip(wanted).enumerate() {
        assert_eq!(found.len(), wanted.len(), "{what}: positions");
        for (position, (found, wanted)) in found.iter().zip(wanted).enumerate() {
            assert!(bits(found) == bits(wanted), "{what}: stage {stage}, position {position}");
        }
    }
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn with_qwen3_gguf_the_chapters_agree_on_tokens_or_it_was_a_near_tie() {
    let prompt = some_ids(PROMPT);
    // The answer that the others are compared with: the first, until one has more tokens.
    let mut longest: Option<(String, Answer)> = None;
    let (notes, sum) = (root().join(NOTES), sha256());
    let mut noted = noted_before(&notes);
    for engine in engines() {
        let remembers = engine.ways_here().find(|way| !way.recomputes);
        let (way, steps) = remembers.map_or((&engine.ways[0], 3), |way| (way, 12));
        let question = Question::greedy(&path(), &prompt, steps, 2);
        let answer = asked(&engine, way, &question);
        let bits = |&(id, logit): &(u32, f32)| (id, logit.to_bits());
        let top: Vec<Vec<_>> =
            answer.top_logits.iter().map(|step| step.iter().map(bits).collect()).collect();
        let found = json!({ "generated_ids": answer.generated_ids, "top_logits_bits": top });
        let before = &mut noted[&sum][&engine.name];
        assert!(
            before.is_null() || *before == found,
            "{}: found {found}, expected {before} as {NOTES} has it from an earlier run. If CHANGELOG.md says that \
             it answers otherwise now, remove that file",
            engine.name,
        );
        let is_new = before.is_null();
        *before = found;
        let noted = if is_new { "noted" } else { "as it was noted" };
        let Some((name, wanted)) = &longest else {
            println!("{}: {steps} tokens, {noted}", engine.name);
            longest = Some((engine.name.clone(), answer));
            continue;
        };
        let pairs = answer.generated_ids.iter().zip(&wanted.generated_ids);
        let same = pairs.clone().take_while(|(a, b)| a == b).count();
        if same < pairs.len() {
            let margin = wanted.top_logits[same][0].1 - wanted.top_logits[same][1].1;
            let who = format!("{} parts from {name} at step {same}", engine.name);
            // Rounding what goes into a product moves logits by far more than another order of sums.
            let largest = wanted.top_logits[same][0].1.abs();
            let near = if engine.judge.is_some() { 0.03 * largest } else { 1e-3 };
            assert!(margin < near, "{who} with a margin of {margin}, not below {near}");
        }
        println!("{}: {same} tokens as {name}, {noted}", engine.name);
        if answer.generated_ids.len() > wanted.generated_ids.len() {
            longest = Some((engine.name.clone(), answer));
        }
    }
    fs::create_dir_all(root().join("my")).expect("a folder of yours");
    let text = serde_json::to_string_pretty(&noted).expect("it is JSON");
    fs::write(&notes, text).expect("the notes are written");
    println!("{NOTES} has these answers, and the next run compares its own with them");
    let model = std::env::var_os("QWEN3_GGUF").expect("it was opened");
    println!("next: cargo run --release -p ch07-chat -- --model {}", model.display());
}

/// What each chapter answered in earlier runs, for each file; nothing yet in the first one.
fn noted_before(notes: &Path) -> Value {
    let Ok(text) = fs::read(notes) else { return json!({}) };
    serde_json::from_slice(&text)
        .ok()
        .filter(Value::is_object)
        .unwrap_or_else(|| panic!("{NOTES} is no JSON, expected what a run wrote: remove it"))
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn with_qwen3_gguf_any_file_has_sane_logits_and_the_official_one_knows_a_capital() {
    let engine = engines().pop().expect("there is a chapter");
    let way = engine.ways_here().find(|way| !way.recomputes).unwrap_or(&engine.ways[0]);
    let question = Question::greedy(&path(), &some_ids(PROMPT), 1, 2);
    let answer = engine.ask(way, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
    let top = &answer.top_logits[0];
    println!("best two logits: {top:?}");
    assert!(top[0].1 > top[1].1 && top[0].1.abs() < 1e3, "{top:?}");

    let found = sha256();
    println!("sha256 {found}");
    if found == OFFICIAL {
        let chat = ["--chat", "What is the capital of France?", "-n", "32"];
        let question = Question { model: Some(path()), ..Question::default() }.with(&chat);
        let answer = engine.ask(way, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
        assert!(answer.text.contains("Paris"), "{}", answer.text);
    } else {
        println!("not the official file: what it must answer is not known");
    }
}

fn sha256() -> String {
    let mut hash = Sha256::new();
    let mut file = std::fs::File::open(path()).expect("it was opened before");
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer).expect("it can be read") {
            0 => break,
            count => hash.update(&buffer[..count]),
        }
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}
