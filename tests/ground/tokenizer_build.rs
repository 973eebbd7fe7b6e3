//! A vocabulary that cannot work is refused by name, never silently half used.

use ground::gguf::Gguf;
use ground::tokenizer::{Tokenizer, TokenizerError};
use test_support::tiny::{Value, tiny_gguf};

/// The miniature's tokenizer after changes to its lists of tokens, types and merges.
fn built(
    change: impl FnOnce(&mut Vec<String>, &mut Vec<i32>, &mut Vec<String>),
) -> Result<Tokenizer, TokenizerError> {
    let mut file = tiny_gguf();
    let take = |key: &str| {
        let found = file.metadata.iter().find(|(k, _)| k == key);
        found.expect("a key of the miniature").1.clone()
    };
    let (Value::Texts(mut tokens), Value::I32s(mut types), Value::Texts(mut merges)) = (
        take("tokenizer.ggml.tokens"),
        take("tokenizer.ggml.token_type"),
        take("tokenizer.ggml.merges"),
    ) else {
        panic!("the miniature has lists of other types");
    };
    change(&mut tokens, &mut types, &mut merges);
    file.set("tokenizer.ggml.tokens", Value::Texts(tokens));
    file.set("tokenizer.ggml.token_type", Value::I32s(types));
    file.set("tokenizer.ggml.merges", Value::Texts(merges));
    Tokenizer::from_gguf(&Gguf::from_vec(file.to_bytes()).expect("a valid file"))
}

fn refused(
    change: impl FnOnce(&mut Vec<String>, &mut Vec<i32>, &mut Vec<String>),
) -> TokenizerError {
    built(change).err().expect("should be refused")
}

#[test]
fn the_miniature_works() {
    let tokenizer = built(|_, _, _| ()).expect("a tokenizer");
    assert_eq!(tokenizer.vocab_size(), 265);
    let the = tokenizer.id_of("Ġthe").expect("a merged token");
    assert_eq!(tokenizer.encode(" the").expect("ids"), [the]);
}

#[test]
fn another_kind_of_tokenizer_is_named() {
    for (key, other) in [("tokenizer.ggml.model", "bert"), ("tokenizer.ggml.pre", "falcon")] {
        let mut file = tiny_gguf();
        file.set(key, Value::Text(other.into()));
        let error =
            Tokenizer::from_gguf(&Gguf::from_vec(file.to_bytes()).expect("a valid file"))
                .err()
                .expect("should be refused");
        let message = error.to_string();
        assert!(message.contains(key) && message.contains(other), "{message}");
    }
}

#[test]
fn a_missing_or_mistyped_key_is_named() {
    for key in ["model", "pre", "tokens", "token_type", "merges"] {
        let key = format!("tokenizer.ggml.{key}");
        for wrong in [None, Some(Value::U32(7))] {
            let mut file = tiny_gguf();
            match wrong {
                None => file.remove(&key),
                Some(value) => file.set(&key, value),
            }
            let file = Gguf::from_vec(file.to_bytes()).expect("a valid file");
            let error = Tokenizer::from_gguf(&file).err().expect("should be refused");
            assert!(error.to_string().contains(&key), "{error}");
        }
    }
}

#[test]
fn fewer_types_than_tokens() {
    let error = refused(|_, types, _| types.truncate(200));
    assert!(matches!(error, TokenizerError::Lengths { tokens: 265, types: 200 }), "{error}");
}

#[test]
fn a_token_twice() {
    let error = refused(|tokens, _, _| tokens[264] = "Ġthe".to_string());
    let expected = r#"token "Ġthe" has two ids, 259 and 264"#;
    assert!(error.to_string().starts_with(expected), "{error}");
}

#[test]
fn a_byte_without_a_token() {
    let error = refused(|tokens, _, _| tokens[0x41] = "Axe".to_string());
    assert!(matches!(error, TokenizerError::MissingByte { byte: 0x41 }), "{error}");
}

#[test]
fn an_empty_vocabulary() {
    let error = refused(|tokens, types, merges| {
        tokens.clear();
        types.clear();
        merges.clear();
    });
    assert!(matches!(error, TokenizerError::MissingByte { byte: 0 }), "{error}");
}

#[test]
fn merges_that_name_no_tokens() {
    // Left unknown, right unknown, the result unknown (and longer than any token), no space, two spaces.
    let long = "<|endoftext|> <|im_start|>";
    for bad in ["zz a", "a zz", "b c", long, "ab", "a  b", "", " "] {
        let error = refused(|_, _, merges| merges.push(bad.to_string()));
        match error {
            TokenizerError::Merge { number: 4, ref merge } if merge == bad => {}
            other => panic!("{bad:?}: {other}"),
        }
    }
}

#[test]
fn a_name_that_is_empty_or_not_normal_does_no_harm() {
    let tokenizer = built(|tokens, types, _| {
        tokens.push(String::new());
        tokens.push("e\u{301}".to_string());
        types.extend([3, 4]);
    })
    .expect("a tokenizer");
    assert_eq!(tokenizer.encode("e\u{301}").expect("ids"), [266], "found before NFC");
    assert_eq!(tokenizer.decode(&[265, 266]).expect("text"), "e\u{301}");
}

#[test]
fn a_filler_of_the_vocabulary_prints_nothing() {
    let tokenizer = built(|tokens, types, _| {
        tokens.push("[PAD265]".to_string());
        types.push(5);
    })
    .expect("a tokenizer");
    assert_eq!(tokenizer.decode(&[265]).expect("text"), "");
    assert_eq!(tokenizer.token_text(265).expect("text"), "[PAD265]");
}
