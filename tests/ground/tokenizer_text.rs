//! Text to ids and back on the embedded model's vocabulary, as Python's `tokenizers` does it.

use ground::embedded::tiny_qwen3;
use ground::tokenizer::{Tokenizer, TokenizerError};
use proptest::prelude::*;
use std::sync::LazyLock;
use tokenizers::normalizers::NFC;
use tokenizers::{NormalizedString, Normalizer};

static TOKENIZER: LazyLock<Tokenizer> = LazyLock::new(|| {
    Tokenizer::from_gguf(&tiny_qwen3().expect("the embedded model")).expect("its tokenizer")
});

fn ids(text: &str) -> Vec<u32> {
    TOKENIZER.encode(text).expect("ids")
}

fn plain(text: &str) -> Vec<u32> {
    TOKENIZER.encode_plain(text).expect("ids")
}

fn text(ids: &[u32]) -> String {
    TOKENIZER.decode(ids).expect("text")
}

fn id_of(token: &str) -> u32 {
    TOKENIZER.id_of(token).expect("a token of the vocabulary")
}

#[test]
fn equal_to_the_reference() {
    let fixture = include_str!("../fixtures/tokenizer/tiny-qwen3.json");
    let fixture: serde_json::Value = serde_json::from_str(fixture).expect("JSON");
    let cases = fixture["cases"].as_array().expect("a list of cases");
    assert!(cases.len() >= 100, "only {} cases", cases.len());
    for case in cases {
        let text = case["text"].as_str().expect("a text");
        let expected = |key: &str| -> Vec<u32> {
            serde_json::from_value(case[key].clone()).expect("a list of ids")
        };
        assert_eq!(ids(text), expected("ids"), "{text:?}");
        assert_eq!(plain(text), expected("ids_plain"), "{text:?} without special tokens");
    }
}

#[test]
fn the_name_of_a_special_token_is_that_token_or_plain_text() {
    let written = "<|im_start|>user\nHi<|im_end|>";
    let with = ids(written);
    assert_eq!(with.first(), Some(&id_of("<|im_start|>")));
    assert_eq!(with.last(), Some(&id_of("<|im_end|>")));
    assert_eq!(text(&with), "user\nHi", "control tokens are not printed");

    let without = plain(written);
    assert!(!without.contains(&id_of("<|im_start|>")), "{without:?}");
    assert_eq!(text(&without), written);
    assert!(!plain("<think>").contains(&id_of("<think>")), "added tokens neither");
}

#[test]
fn an_added_token_is_printed() {
    let think = id_of("<think>");
    assert_eq!(ids("<think>"), [think]);
    assert_eq!(text(&[think]), "<think>");
}

#[test]
fn a_control_token_shows_its_name_in_tables_only() {
    let end = id_of("<|im_end|>");
    assert_eq!(TOKENIZER.token_text(end).expect("a token"), "<|im_end|>");
    assert_eq!(text(&[end]), "");
}

#[test]
fn an_unknown_id_is_an_error() {
    let size = TOKENIZER.vocab_size() as u32;
    for id in [size, size + 1, u32::MAX] {
        for result in [TOKENIZER.decode(&[0, id]), TOKENIZER.token_text(id)] {
            match result {
                Err(TokenizerError::UnknownId { id: found, last }) => {
                    assert_eq!((found, last), (id, size - 1));
                }
                other => panic!("{id}: {other:?}"),
            }
        }
    }
    assert!(TOKENIZER.decode(&[size - 1]).is_ok());
}

#[test]
fn nothing_is_nothing() {
    assert!(ids("").is_empty());
    assert!(plain("").is_empty());
    assert_eq!(text(&[]), "");
}

#[test]
fn half_a_character_is_replaced() {
    let rare = plain("a\u{20000}");
    assert!(rare.len() > 2, "several tokens for one character");
    assert_eq!(text(&rare), "a\u{20000}");
    assert_eq!(text(&rare[..rare.len() - 1]), "a\u{FFFD}");
}

#[test]
fn accents_are_composed_first_as_the_reference_does() {
    assert_eq!(ids("e\u{301}"), ids("é"));
    assert_eq!(text(&ids("\u{1112}\u{1161}\u{11ab}")), "한");
}

#[test]
fn long_runs_of_one_character_come_back() {
    come_back(5_000);
}

#[test]
#[ignore = "cargo prove: runs of fifty thousand"]
fn runs_of_fifty_thousand_come_back() {
    come_back(50_000);
}

/// The pattern looks ahead and back: a run that is long must be neither slow nor an error.
fn come_back(times: usize) {
    for run in [" ", "\n", "a", "1", "!", "\u{e9}", " a", "\r\n"] {
        let long = run.repeat(times);
        assert_eq!(text(&plain(&long)), long, "{run:?}");
    }
}

proptest! {
    #[test]
    fn what_goes_in_comes_out_normalised(written in "\\PC*|(?s).*|[ \\n\\t'a-zA-Z0-9]*") {
        let mut normal = NormalizedString::from(written.as_str());
        NFC.normalize(&mut normal).expect("NFC");
        prop_assert_eq!(text(&plain(&written)), normal.get());
    }

    #[test]
    fn any_ids_have_a_text(ids in proptest::collection::vec(any::<u32>(), 0..20)) {
        let known: Vec<u32> = ids.iter().map(|id| id % TOKENIZER.vocab_size() as u32).collect();
        prop_assert!(TOKENIZER.decode(&known).is_ok());
    }
}
