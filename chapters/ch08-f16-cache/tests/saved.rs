//! Saved conversations: their rows have the type of the cache, and another type is refused in one line.

use std::fs;

use ch08_f16_cache::backend::Backend;
use ch08_f16_cache::cache::{KvType, Mode};
use ch08_f16_cache::conversation::{Conversation, OnFull, Settings};
use ch08_f16_cache::how::{How, PREFILL_CHUNK};
use ch08_f16_cache::recorder::system_clock;
use ch08_f16_cache::session::Session;
use ch08_f16_cache::team::Team;
use ground::embedded::tiny_qwen3;
use ground::gguf::Gguf;
use ground::request::Options;
use tempfile::tempdir;

fn open(file: &Gguf, kv_type: KvType) -> Session<'_> {
    let team = Team::new(Backend::choose("auto").expect("there is one"), 2);
    let team = team.expect("two threads start");
    Session::open(file, system_clock(), team, kv_type).expect("the model loads")
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
    let pieces = (0..config.layers).flat_map(|layer| talk.context.pieces(layer));
    let rows =
        pieces.flat_map(|(piece, rows)| piece.rows(rows, config.kv_heads, config.head_dim));
    rows.flat_map(|rows| rows.into_iter().map(f32::to_bits)).collect()
}

#[test]
fn what_is_loaded_goes_on_as_what_was_saved_in_each_type() {
    let folder = tempdir().expect("a folder");
    let file = tiny_qwen3().expect("it opens");
    let mut sizes = Vec::new();
    for kv_type in [KvType::F32, KvType::F16] {
        let path = folder.path().join(format!("{kv_type:?}"));
        let session = open(&file, kv_type);
        let mut talk = start(&session);
        // More than one piece.
        for question in
            ["What is the capital of France?", "Count to ten.", "Hello!", "Once upon a time?"]
        {
            ask(&mut talk, question);
        }
        talk.save(&path).expect("it can be written");
        sizes.push(fs::metadata(&path).expect("it was written").len());
        let mut loaded = start(&session);
        loaded.load(&path).expect("it is whole");
        assert!(loaded.context.ids().len() > 64, "only one piece is tried");
        assert_eq!(loaded.context.ids(), talk.context.ids());
        assert_eq!(rows(&session, &loaded), rows(&session, &talk));
        assert_eq!(ask(&mut loaded, "And now?"), ask(&mut talk, "And now?"));

        let other = if kv_type == KvType::F32 { KvType::F16 } else { KvType::F32 };
        let session = open(&file, other);
        let mut other = start(&session);
        let refused = other.load(&path).expect_err("of the other type").to_string();
        let wanted = match session.model.kv_type {
            KvType::F32 => "it is no conversation saved with --kv-type f32",
            KvType::F16 => "it is no conversation saved with --kv-type f16",
        };
        assert!(refused.contains(wanted) && !refused.contains('\n'), "{refused}");
        assert!(other.context.ids().is_empty(), "something was taken over");
    }
    assert!(sizes[0] * 10 > sizes[1] * 19, "rows of sixteen bits take half: {sizes:?}");
}
