//! Models of other families: their sizes, and their texts as Python's `tokenizers` cuts them (`lab/reference/other_families.py`).

use ground::chat::{ChatTemplate, Message};
use ground::config::{Config, Family, QWEN3, ROPE_FACTORS};
use ground::gguf::Gguf;
use ground::tokenizer::{Tokenizer, TokenizerError};
use serde_json::Value as Json;
use test_support::tiny::{Value, tiny_gguf};

const LLAMA: Family = Family { name: "llama", qk_norm: false, rope_factors: true, ..QWEN3 };
const QWEN2: Family = Family { name: "qwen2", qk_norm: false, qkv_bias: true, ..QWEN3 };
const GEMMA3: Family = Family { name: "gemma3", post_norms: true, ..QWEN3 };
const ALL: [(&str, Family); 4] =
    [("llama3", LLAMA), ("smollm2", LLAMA), ("qwen2", QWEN2), ("gemma3", GEMMA3)];

fn path(name: &str, ending: &str) -> String {
    format!("{}/tests/fixtures/families/{name}.{ending}", env!("CARGO_MANIFEST_DIR"))
}

fn open(name: &str) -> Gguf {
    Gguf::open(path(name, "gguf").as_ref()).expect("a fixture")
}

#[test]
fn texts_are_cut_as_the_reference_cuts_them() {
    for (name, _) in ALL {
        let tokenizer = Tokenizer::from_gguf(&open(name)).expect("a tokenizer");
        let begin = tokenizer.begin().map(|name| tokenizer.id_of(&name).expect("its id"));
        assert_eq!(begin.is_some(), name == "llama3" || name == "gemma3", "{name}");
        let fixture = std::fs::read_to_string(path(name, "json")).expect("a fixture");
        let fixture: Json = serde_json::from_str(&fixture).expect("JSON");
        let cases = fixture["texts"].as_array().expect("a list");
        assert!(cases.len() >= 150, "only {} texts", cases.len());
        for case in cases {
            let text = case["text"].as_str().expect("a text");
            let mut expected: Vec<u32> =
                serde_json::from_value(case["ids"].clone()).expect("ids");
            if let Some(begin) = begin.filter(|begin| expected.first() != Some(begin)) {
                expected.insert(0, begin);
            }
            let found = tokenizer.encode(text).expect("ids");
            assert_eq!(found, expected, "{name}: {text:?}");
            let again: Vec<u8> = tokenizer
                .encode_plain(text)
                .expect("ids")
                .into_iter()
                .flat_map(|id| tokenizer.printed_bytes(id).expect("a token").to_vec())
                .collect();
            if name != "qwen2" {
                // That one composes letters and their accents.
                let again = String::from_utf8_lossy(&again);
                let spaces =
                    if name == "gemma3" { text.replace('\u{2581}', " ") } else { text.into() };
                assert_eq!(again, spaces, "{name}: nothing may be lost");
            }
        }
    }
}

#[test]
fn a_chat_begins_with_its_token_once_and_nobody_else_writes_it() {
    for (name, begin) in [("llama3", "<|begin_of_text|>"), ("gemma3", "<bos>")] {
        let file = open(name);
        let tokenizer = Tokenizer::from_gguf(&file).expect("a tokenizer");
        let template = ChatTemplate::of(&file, &tokenizer).expect("a template");
        let said = [Message { role: "user".into(), content: format!("Hi {begin}") }];
        let rendered = template.render(&said, false, true).expect("a text");
        assert!(rendered.text().starts_with(begin), "{:?}", rendered.text());
        let ids = template.encode(&rendered).expect("ids");
        let id = tokenizer.id_of(begin).expect("a token");
        assert_eq!(ids[0], id);
        assert!(!ids[1..].contains(&id), "{ids:?}");
    }
}

#[test]
fn a_family_says_which_tensors_there_are() {
    let families = ALL.map(|(_, family)| family);
    for (name, family) in ALL {
        let file = open(name);
        let config = Config::of(&file, &families).expect("a model");
        assert_eq!(config.family, family);
        assert_eq!(config.tied, name != "llama3");
        assert_eq!(file.has_tensor(ROPE_FACTORS), name == "llama3");
        let said = Config::from_gguf(&file).expect_err("no Qwen3").to_string();
        let expected =
            format!("a model of architecture {:?}, expected \"qwen3\": ", family.name);
        assert!(said.starts_with(&expected), "{said}");
        // A part too few, and a part too many, are missed.
        for (change, part) in [
            (Family { qk_norm: !family.qk_norm, ..family }, "attn_q_norm.weight"),
            (Family { qkv_bias: !family.qkv_bias, ..family }, "attn_q.bias"),
            (Family { post_norms: !family.post_norms, ..family }, "post_attention_norm.weight"),
        ] {
            if change.qk_norm && !family.qk_norm {
                continue; // its heads' width would have to be in the file
            }
            let said = Config::of(&file, &[change]).expect_err("refused").to_string();
            assert!(said.contains(&format!("blk.0.{part}")), "{name}: {said}");
        }
    }
}

#[test]
fn ends_of_other_families_are_known_by_their_text() {
    let ends = |name: &str| {
        let file = open(name);
        let config = Config::of(&file, &ALL.map(|(_, family)| family)).expect("a model");
        let tokenizer = Tokenizer::from_gguf(&file).expect("a tokenizer");
        let text = |&id: &u32| tokenizer.token_text(id).expect("a token");
        config.eos_ids.iter().map(text).collect::<Vec<_>>()
    };
    assert_eq!(ends("llama3"), ["<|end_of_text|>", "<|eot_id|>"]);
    assert_eq!(ends("gemma3"), ["<eos>", "<end_of_turn>"]);
}

fn built(
    change: impl FnOnce(&mut test_support::tiny::TinyGguf),
) -> Result<Tokenizer, TokenizerError> {
    let mut file = tiny_gguf();
    change(&mut file);
    Tokenizer::from_gguf(&Gguf::from_vec(file.to_bytes()).expect("a valid file"))
}

#[test]
fn a_byte_that_smollm_cannot_write_is_refused_when_it_is_met() {
    let tokenizer = built(|file| {
        file.set("tokenizer.ggml.pre", Value::Text("smollm".into()));
        let tokens = file.metadata.iter_mut().find(|(key, _)| key == "tokenizer.ggml.tokens");
        let Some((_, Value::Texts(tokens))) = tokens else { panic!("it has tokens") };
        tokens[0x41] = "Axe".to_string();
    })
    .expect("such vocabularies have holes");
    assert!(tokenizer.encode("the axe").is_ok());
    for found in [tokenizer.encode("the Axe"), tokenizer.encode_plain("the Axe")] {
        assert!(matches!(found, Err(TokenizerError::Unwritten { byte: 0x41 })), "{found:?}");
    }
}

#[test]
fn a_beginning_that_is_no_token_is_refused() {
    for (id, fine) in [(264, true), (265, false), (u32::MAX, false)] {
        let tokenizer = built(|file| {
            file.set("tokenizer.ggml.add_bos_token", Value::Flag(true));
            file.set("tokenizer.ggml.bos_token_id", Value::U32(id));
        });
        assert_eq!(tokenizer.is_ok(), fine, "{id}");
        if let Ok(tokenizer) = tokenizer {
            assert_eq!(tokenizer.encode("").expect("ids"), [id]);
        }
    }
}

#[test]
fn a_vocabulary_with_scores_is_checked() {
    let scored = |file: &mut test_support::tiny::TinyGguf| {
        file.set("tokenizer.ggml.model", Value::Text("llama".into()));
        file.set("tokenizer.ggml.add_space_prefix", Value::Flag(false));
    };
    let said = built(scored).err().expect("refused").to_string();
    assert!(said.contains("tokenizer.ggml.scores"), "{said}");
    let with = |count: usize, prefix: bool| {
        built(|file| {
            scored(file);
            let mut list =
                [6u32.to_le_bytes().to_vec(), (count as u64).to_le_bytes().to_vec()].concat();
            list.extend(f32::NAN.to_le_bytes().repeat(count));
            file.set("tokenizer.ggml.scores", Value::Raw(9, list));
            file.set("tokenizer.ggml.add_space_prefix", Value::Flag(prefix));
        })
    };
    let said = with(264, false).err().expect("refused").to_string();
    assert!(said.contains("265 tokens but 264 scores"), "{said}");
    let said = with(265, true).err().expect("refused").to_string();
    assert!(said.contains("add_space_prefix is \"true\", expected false"), "{said}");
    let said = with(265, false).err().expect("refused").to_string();
    assert!(said.contains("no token for byte 0x00"), "{said}");
}
