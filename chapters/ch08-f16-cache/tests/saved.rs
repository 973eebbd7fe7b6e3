//! Saved conversations: their rows have the type of the cache, and another type is refused in one line.

use std::fs;

use ch08_f16_cache::backend::Backend;
use ch08_f16_cache::cache::{KvType, Mode};
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::conversation::{Conversation, OnFull, Settings};
use ch08_f16_cache::how::{How, PREFILL_CHUNK};
use ch08_f16_cache::recorder::system_clock;
use ch08_f16_cache::session::Session;
use ground::embedded::tiny_qwen3;
use ground::gguf::Gguf;
use ground::random::SplitMix64;
use ground::request::Options;
use sha2::{Digest, Sha256};
use tempfile::tempdir;

fn open(file: &Gguf, kv_type: KvType) -> Session<'_> {
    let compute = ComputeContext::new(Backend::choose("auto").expect("there is one"), 2);
    let compute = compute.expect("two threads start");
    Session::open(file, system_clock(), compute, kv_type).expect("the model loads")
}

fn start<'a>(session: &'a Session<'a>) -> Conversation<'a> {
    let options = Options { max_new_tokens: 8, ..Options::default() };
    let settings = Settings { options, think: false, on_full: OnFull::Stop };
    let how = How { kv: Mode::Contiguous, prefill_chunk: PREFILL_CHUNK };
    Conversation::new(session, &how, None, None, settings).expect("there is memory")
}

fn ask(talk: &mut Conversation, question: &str) -> String {
    let mut said = String::new();
    let print = |text: &str| {
        said.push_str(text);
        Ok(())
    };
    talk.ask(question, &mut |_| true, print).expect("there is room");
    said
}

/// All rows that count, as bits.
fn rows(session: &Session, talk: &Conversation) -> Vec<u32> {
    let config = &session.model.config;
    let blocks = (0..config.layers).flat_map(|layer| talk.context.blocks(layer));
    let rows =
        blocks.flat_map(|(block, rows)| block.rows(rows, config.kv_heads, config.head_dim));
    rows.flat_map(|rows| rows.into_iter().map(f32::to_bits)).collect()
}

#[test]
fn what_is_loaded_goes_on_as_what_was_saved_in_each_type() {
    let folder = tempdir().expect("a folder");
    let file = tiny_qwen3().expect("it opens");
    let mut sizes = Vec::new();
    for kv_type in [KvType::F32, KvType::F16, KvType::Q8_0] {
        let path = folder.path().join(format!("{kv_type:?}"));
        let session = open(&file, kv_type);
        let mut talk = start(&session);
        // More than one block.
        for question in
            ["What is the capital of France?", "Count to ten.", "Hello!", "Once upon a time?"]
        {
            ask(&mut talk, question);
        }
        talk.save(&path).expect("it can be written");
        sizes.push(fs::metadata(&path).expect("it was written").len());
        let mut loaded = start(&session);
        loaded.load(&path).expect("it is whole");
        assert!(loaded.context.ids().len() > 64, "only one block is tried");
        assert_eq!(loaded.context.ids(), talk.context.ids());
        assert_eq!(rows(&session, &loaded), rows(&session, &talk));
        assert_eq!(ask(&mut loaded, "And now?"), ask(&mut talk, "And now?"));

        let other = if kv_type == KvType::F32 { KvType::F16 } else { KvType::F32 };
        let session = open(&file, other);
        let mut other = start(&session);
        let refused = other.load(&path).expect_err("of the other type").to_string();
        let wanted = match session.model.kv_type {
            KvType::F32 => "it is no conversation saved with --kv-type f32",
            _ => "it is no conversation saved with --kv-type f16",
        };
        assert!(refused.contains(wanted) && !refused.contains('\n'), "{refused}");
        assert!(other.context.ids().is_empty(), "something was taken over");
    }
    assert!(sizes[0] * 10 > sizes[1] * 19, "rows of sixteen bits take half: {sizes:?}");
}

#[test]
fn rows_of_a_pass_that_ended_early_are_not_saved() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("talk");
    let file = tiny_qwen3().expect("it opens");
    let session = open(&file, KvType::F16);
    let mut talk = start(&session);
    ask(&mut talk, "Hello!");
    let mut calls = 0;
    let mut few = |_| {
        calls += 1;
        calls < 4
    };
    let turn = talk.ask("And now?", &mut few, |_| Ok(())).expect("it only ends");
    assert!(turn.taken_back, "the pass was complete");
    talk.save(&path).expect("it can be written");
    let mut loaded = start(&session);
    loaded.load(&path).expect("it is whole");
    assert_eq!(loaded.context.ids(), talk.context.ids());
    assert_eq!(rows(&session, &loaded), rows(&session, &talk));
}

/// Chapter 7 tries ten thousand; what is new here is the second type.
#[test]
fn damaged_files_are_refused_in_one_line_or_say_what_they_say() {
    let folder = tempdir().expect("a folder");
    let file = tiny_qwen3().expect("it opens");
    let path = folder.path().join("talk");
    for kv_type in [KvType::F32, KvType::F16, KvType::Q8_0] {
        let session = open(&file, kv_type);
        let mut talk = start(&session);
        ask(&mut talk, "Hello!");
        talk.save(&path).expect("it can be written");
        let sound = fs::read(&path).expect("it was written");
        let (mut random, mut loaded) = (SplitMix64::new(8), 0);
        for case in 0..200 {
            let mut bytes = sound.clone();
            let at = random.below(if case % 2 == 0 { bytes.len() } else { 400 });
            match random.below(6) {
                0 => bytes.truncate(at.max(1)),
                _ => bytes[at] ^= 1 << random.below(8),
            }
            // A file that was made on purpose has the right checksum.
            if let Some(end) = bytes.len().checked_sub(32).filter(|_| case % 4 < 2) {
                let seal = Sha256::digest(&bytes[..end]);
                bytes[end..].copy_from_slice(&seal);
            }
            fs::write(&path, &bytes).expect("it can be written");
            match talk.load(&path) {
                Err(error) => {
                    assert!(!error.to_string().contains('\n'), "case {case}: {error}")
                }
                Ok(()) => {
                    loaded += 1;
                    talk.save(&path).expect("it can be written");
                    let again = fs::read(&path).expect("it was written");
                    talk.load(&path).expect("it is sound");
                    talk.save(&path).expect("it can be written");
                    let once_more = fs::read(&path).expect("it was written");
                    assert!(
                        again == once_more,
                        "case {case}: what was loaded is not what was saved"
                    );
                }
            }
        }
        assert!(loaded > 10, "changed rows with a right checksum are rows: {loaded}");
    }
}
