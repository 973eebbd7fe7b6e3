//! The real checkpoint, or any other file of its size. It takes minutes and gigabytes, so it runs only when asked:
//!
//!     QWEN3_GGUF=Qwen3-0.6B-Q8_0.gguf cargo test --release -p course-tests --test real_checkpoint -- --ignored --nocapture
//!
//! Any file must be equal to itself: every way of every chapter, bit for bit. Of the official one it is also known what
//! it must answer. Its exact tokens are not pinned here: that file could not be had where this was written.

use std::io::Read;
use std::path::PathBuf;

use course::suite::{Answer, Engine, Question, build, ways};
use course_tests::root;
use ground::gguf::Gguf;
use ground::tokenizer::Tokenizer;
use sha2::{Digest, Sha256};

/// `Qwen3-0.6B-Q8_0.gguf` of `Qwen/Qwen3-0.6B-GGUF`: 639,446,688 bytes.
const OFFICIAL: &str = "9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031";
/// How many positions are compared bit by bit.
const POSITIONS: usize = 64;
/// How many of them are the prompt.
const PROMPT: usize = 16;
const LOGITS: usize = 100;

fn path() -> PathBuf {
    let Some(path) = std::env::var_os("QWEN3_GGUF") else {
        panic!(
            "set QWEN3_GGUF to a Qwen3 model file: the official Qwen3-0.6B-Q8_0.gguf (README.md says \
             where it is), or one that `cargo run --release -- synth` wrote"
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
        let mut remembered: Option<Answer> = None;
        for way in engine.ways_here().filter(|way| !way.recomputes) {
            let question = Question::greedy(&path(), &prompt, POSITIONS - PROMPT, LOGITS);
            let answer = engine.ask(way, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
            let first = remembered.get_or_insert_with(|| answer.clone());
            ways::same(&engine, way, &question, &answer, first, "as in the first way")
                .unwrap_or_else(|wrong| panic!("\n{wrong}"));
            println!("{} {:?}: the same bits", engine.name, way.flags);
        }
        // The whole past at once gives the row that the cache gave at its end.
        for way in engine.ways_here().filter(|way| way.recomputes) {
            let Some(first) = &remembered else { continue };
            let (last, before) = first.generated_ids.split_last().expect("some were generated");
            let whole = [&prompt[..], before].concat();
            let question = Question::greedy(&path(), &whole, 1, LOGITS);
            let answer = engine.ask(way, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
            let bits = |answer: &Answer| {
                let top = answer.top_logits.last().expect("logits were asked for");
                top.iter().map(|(id, logit)| (*id, logit.to_bits())).collect::<Vec<_>>()
            };
            assert_eq!(answer.generated_ids, [*last], "{} {:?}", engine.name, way.flags);
            assert_eq!(bits(&answer), bits(first), "{} {:?}", engine.name, way.flags);
            println!("{} {:?}: the same bits at the end", engine.name, way.flags);
        }
    }
}

#[test]
#[ignore = "needs QWEN3_GGUF, minutes and 3 GB"]
fn with_qwen3_gguf_the_chapters_agree_on_tokens_or_it_was_a_near_tie() {
    let prompt = some_ids(PROMPT);
    let mut first: Option<(String, Answer)> = None;
    for engine in engines() {
        let remembers = engine.ways_here().find(|way| !way.recomputes);
        let (way, steps) = remembers.map_or((&engine.ways[0], 3), |way| (way, 12));
        let question = Question::greedy(&path(), &prompt, steps, 2);
        let answer = engine.ask(way, &question).unwrap_or_else(|wrong| panic!("\n{wrong}"));
        let Some((name, wanted)) = &first else {
            first = Some((engine.name.clone(), answer));
            continue;
        };
        let pairs = answer.generated_ids.iter().zip(&wanted.generated_ids);
        let same = pairs.clone().take_while(|(a, b)| a == b).count();
        if same < pairs.len() {
            let margin = wanted.top_logits[same][0].1 - wanted.top_logits[same][1].1;
            let who = format!("{} parts from {name} at step {same}", engine.name);
            // Rounding what goes into a product moves logits by far more than another order of sums.
            let largest = wanted.top_logits[same][0].1.abs();
            let near = if engine.rounds { 0.03 * largest } else { 1e-3 };
            assert!(margin < near, "{who} with a margin of {margin}, not below {near}");
        }
        println!("{}: {same} tokens as {name}", engine.name);
    }
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
