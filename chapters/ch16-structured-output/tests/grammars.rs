//! Grammars, their automaton and the masks that come of it. What is valid by a schema, `lab/schemas` asks an implementation
//! that others have written.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ch16_structured_output::decoder::{Decoder, EngineRequest};
use ch16_structured_output::grammar::{Grammar, MANY, Node, Rules};
use ch16_structured_output::matcher::Matcher;
use ch16_structured_output::token_trie::{TokenSet, TokenTrie};
use ground::config::Config;
use ground::embedded;
use ground::random::SplitMix64;
use ground::request::{Options, Request};
use ground::tokenizer::Tokenizer;
use serde_json::{Value, json};

/// All bytes, and pieces of JSON cut anywhere: through characters, escapes and numbers, and across the ends of strings.
fn vocabulary(seed: u64) -> Arc<TokenTrie> {
    let text = r#"{"name": "Zoë \"\u00e9\\\n 漢字 😀", "size": -12.50e+3, "tags": ["red", "blue"], "ok": true, "no": null}, "#;
    let text = text.repeat(3).into_bytes();
    let mut random = SplitMix64::new(seed);
    let mut tokens: Vec<Box<[u8]>> = (0..=255).map(|byte| [byte].into()).collect();
    tokens.push([].into()); // a control token
    for _ in 0..300 {
        let from = random.below(text.len() - 12);
        tokens.push(text[from..from + 1 + random.below(12)].into());
    }
    tokens.extend(
        ["aaaaaaaa", "12", "00", "\", \"", "\"}]}", "  ", "\n"]
            .map(|token| token.as_bytes().into()),
    );
    Arc::new(TokenTrie::of(tokens))
}

fn matcher(schema: &Value, trie: &Arc<TokenTrie>) -> Matcher {
    let grammar =
        Grammar::from_schema(schema).unwrap_or_else(|error| panic!("{schema}: {error}"));
    Matcher::new(Arc::new(grammar), trie.clone())
}

fn takes(schema: &Value, text: &str, trie: &Arc<TokenTrie>) -> bool {
    let mut matcher = matcher(schema, trie);
    matcher.accept_bytes(text.as_bytes()) && matcher.may_end()
}

/// What a schema takes, and what it doesn't.
fn cases() -> Vec<(Value, &'static [&'static str], &'static [&'static str])> {
    vec![
        (json!({"type": "null"}), &["null"], &["", "nul", "null ", "\"null\""]),
        (json!({"type": "boolean"}), &["true", "false"], &["True", "t"]),
        (
            json!({"type": ["string", "null"]}),
            &["null", "\"\"", "\"a\\n\\u00E9😀\""],
            &["\"\n\"", "\"\\ud800\"", "\"\\x\"", "\"a"],
        ),
        (
            json!({"type": "string", "minLength": 2, "maxLength": 3}),
            &["\"ab\"", "\"é\\n😀\""],
            &["\"a\"", "\"abcd\""],
        ),
        (
            json!({"type": "integer"}),
            &["0", "-7", "120", "999999999999999"],
            &["-0", "01", "1.0", "1e3", "9999999999999999"],
        ),
        (
            json!({"type": "number"}),
            &["0", "-0.5", "12e3", "1.25E-07"],
            &["1.", ".5", "00", "1e", "-"],
        ),
        (
            json!({"type": "integer", "minimum": -3, "maximum": 12}),
            &["-3", "-1", "0", "9", "10", "12"],
            &["-4", "13", "20", "100", "-10", "-0"],
        ),
        (
            json!({"type": "integer", "exclusiveMinimum": 99, "maximum": 1000}),
            &["100", "999", "1000"],
            &["99", "1001", "10", "2000"],
        ),
        (json!({"type": "integer", "minimum": 0.5, "maximum": 2.5}), &["1", "2"], &["0", "3"]),
        (
            json!({"type": "number", "minimum": 0.5, "exclusiveMaximum": 12.25}),
            &["0.5", "0.50", "1", "12", "12.2", "12.249999", "9.123456"],
            &["0.4", "0", "12.25", "12.3", "13", "0.49", "-1", "1e0"],
        ),
        (
            json!({"type": "number", "maximum": -1}),
            &["-1", "-1.5", "-100"],
            &["-0.5", "0", "1"],
        ),
        (
            json!({"type": "number", "exclusiveMinimum": 0, "maximum": 1}),
            &["0.000001", "1", "1.0", "0.5"],
            &["0", "0.0", "1.1", "-0.1"],
        ),
        (
            json!({"enum": ["a", "ab", "b", 3, null, {"x": [1, 2]}]}),
            &["\"a\"", "\"ab\"", "3", "null", "{\"x\": [1, 2]}"],
            &["\"abc\"", "\"\"", "{\"x\":[1,2]}"],
        ),
        (json!({"type": "string", "enum": ["a", 3]}), &["\"a\""], &["3"]),
        (json!({"const": "a\"\\b"}), &["\"a\\\"\\\\b\""], &["\"a\""]),
        (
            json!({"type": "array", "items": {"type": "null"}}),
            &["[]", "[null]", "[null, null, null]"],
            &["[null,null]", "[ ]", "[null, ]"],
        ),
        (
            json!({"type": "array", "items": {"type": "null"}, "minItems": 2, "maxItems": 3}),
            &["[null, null]", "[null, null, null]"],
            &["[]", "[null]", "[null, null, null, null]"],
        ),
        (json!({"type": "array", "items": false}), &["[]"], &["[null]"]),
        (json!({"type": "array", "maxItems": 0}), &["[]"], &["[1]"]),
        (
            json!({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}, "c": {"type": "null"}}, "required": ["b"]}),
            &[
                "{\"b\": null}",
                "{\"a\": null, \"b\": null}",
                "{\"b\": null, \"c\": null}",
                "{\"a\": null, \"b\": null, \"c\": null}",
            ],
            &[
                "{}",
                "{\"a\": null}",
                "{\"b\": null, \"a\": null}",
                "{\"b\": null, \"d\": null}",
                "{\"b\": null, }",
                "{, \"b\": null}",
            ],
        ),
        (
            json!({"type": "object", "properties": {"ab": {"type": "null"}, "": false}, "additionalProperties": {"type": "boolean"}, "required": ["z"]}),
            &["{\"z\": true}", "{\"ab\": null, \"z\": false}"],
            &[
                "{}",
                "{\"ab\": null}",
                "{\"\": true, \"z\": true}",
                "{\"z\": true, \"y\": true}",
                "{\"z\": null}",
            ],
        ),
        (
            json!({"type": "object", "required": ["z"], "additionalProperties": {"type": "null"}}),
            &["{\"z\": null}"],
            &["{}", "{\"y\": null}", "{\"z\": null, \"y\": null}"],
        ),
        (
            json!({"type": "object"}),
            &["{}", "{\"a\": [1, {\"b\": \"\"}], \"\": null}"],
            &["[]", "{\"a\": }"],
        ),
        (
            json!({"anyOf": [{"type": "integer"}, {"const": "x"}, {"type": "array", "items": {"$ref": "#"}}]}),
            &["1", "\"x\"", "[[], [1, \"x\"]]"],
            &["\"y\"", "[1, 2"],
        ),
        (
            json!({"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"type": "null"}}}),
            &["null"],
            &["1"],
        ),
        (
            json!({"$ref": "#/$defs/node", "$defs": {"node": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}, "required": ["next"]}}}),
            &["{\"next\": null}", "{\"next\": {\"next\": null}}"],
            &["{}", "{\"next\": {}}"],
        ),
        (
            json!({"type": "string", "pattern": "^[A-F0-9]{2}(-x|\\.y?)+$"}),
            &["\"A0-x\"", "\"FF-x.\"", "\"00.y-x\""],
            &["\"A0\"", "\"G0-x\"", "\"A0-x \""],
        ),
        (
            json!({"type": "string", "pattern": "^(a*)*[äö]\\.(?:x{0,2}){2}$"}),
            &["\"ä.\"", "\"aaö.xxxx\""],
            &["\"ü.\"", "\"ä.xxxxx\""],
        ),
        (
            json!({"type": "string", "pattern": "^(\\w|[^\\s]-)$"}),
            &["\"a\"", "\"#-\""],
            &["\"é\"", "\"é-\"", "\" -\""],
        ),
        (
            json!({"type": "string", "pattern": "b"}),
            &["\"b\"", "\"abc\"", "\"é\\nb\""],
            &["\"\"", "\"ac\""],
        ),
        (
            json!({"type": "string", "pattern": "^a|b$"}),
            &["\"ax\"", "\"xb\""],
            &["\"xa\"", "\"bx\""],
        ),
        (
            json!({"type": "string", "pattern": "^[^a\\n]$"}),
            &["\"b\"", "\"é\"", "\"\\\"\"", "\"\\\\\"", "\"\\t\""],
            &["\"a\"", "\"\\n\"", "\"\"", "\"\"\""],
        ),
        (json!({"type": "string", "maxLength": 6}), &["\"\"", "\"abcdef\""], &["\"abcdefg\""]),
        (
            json!({"type": "string", "format": "date"}),
            &["\"2024-02-28\"", "\"1999-12-31\""],
            &["\"2024-02-30\"", "\"2024-13-01\"", "\"24-1-1\""],
        ),
        (
            json!({"type": "string", "format": "date-time"}),
            &["\"2024-02-28T23:59:59Z\"", "\"2024-02-28T00:00:00.5+01:00\""],
            &["\"2024-02-28\"", "\"2024-02-28T24:00:00Z\""],
        ),
        (
            json!({"type": "string", "format": "uuid"}),
            &["\"123e4567-e89b-12d3-a456-426614174000\""],
            &["\"123e4567\""],
        ),
        (
            json!({"type": "string", "format": "email"}),
            &["\"a.b@c.de\""],
            &["\"a@b\"", "\"@c.de\"", "\"a..b@c.de\""],
        ),
        (json!({"allOf": [{"type": "null"}], "title": "T", "default": 3}), &["null"], &["3"]),
    ]
}

#[test]
fn a_schema_takes_what_it_should_and_nothing_else() {
    let trie = vocabulary(0);
    for (schema, valid, invalid) in cases() {
        for text in valid {
            assert!(takes(&schema, text, &trie), "{schema} refuses {text}");
        }
        for text in invalid {
            assert!(!takes(&schema, text, &trie), "{schema} takes {text}");
        }
    }
}

#[test]
fn each_mask_is_what_trying_each_token_gives_and_no_answer_gets_stuck() {
    let all: Vec<Value> = cases().into_iter().map(|(schema, ..)| schema).collect();
    let together = json!({"anyOf": all[1..20]});
    let mut ended = 0;
    for (number, schema) in all.iter().chain([&together, &Value::Bool(true)]).enumerate() {
        let trie = vocabulary(number as u64);
        let start = matcher(schema, &trie);
        for seed in 0..3 {
            let (mut matcher, mut random) = (start.clone(), SplitMix64::new(seed));
            let mut text = Vec::new();
            for _ in 0..40 {
                let tried: BTreeSet<u32> =
                    (0..trie.vocab() as u32).filter(|id| matcher.clone().accept(*id)).collect();
                let mask = matcher.mask();
                let shown = String::from_utf8_lossy(&text);
                assert!(mask.iter().eq(tried.iter().copied()), "{schema} after {shown}");
                assert!(
                    matcher.may_end() || !tried.is_empty(),
                    "{schema} is stuck after {shown}"
                );
                assert_eq!(matcher.must_end(), tried.is_empty(), "{schema} after {shown}");
                if tried.is_empty() || matcher.may_end() && random.below(4) == 0 {
                    let answer: Result<Value, _> = serde_json::from_slice(&text);
                    assert!(answer.is_ok(), "{schema} ends with {shown}");
                    ended += 1;
                    break;
                }
                let forced = matcher.forced();
                let id = *tried.iter().nth(random.below(tried.len())).expect("one of them");
                let new = trie.bytes(id);
                let same = new.len().min(forced.len());
                assert_eq!(new[..same], forced[..same], "{schema} after {shown}");
                assert!(matcher.accept(id));
                text.extend(new);
            }
        }
    }
    assert!(ended > 60, "only {ended} answers have ended");
}

/// A string of 3,000 characters has as many states, and their masks don't fit into what is kept.
#[test]
fn what_was_forgotten_is_found_again() {
    let mut tokens: Vec<Box<[u8]>> = (0..=255).map(|byte| [byte].into()).collect();
    tokens.extend((0..200_000u32).map(|number| format!("{number:x}\"").as_bytes().into()));
    let trie = Arc::new(TokenTrie::of(tokens));
    let schema = json!({"type": "array", "items": {"type": "string", "maxLength": 3000}});
    let start = matcher(&schema, &trie);
    let (mut one, mut other) = (start.clone(), start.clone());
    assert!(one.accept_bytes(b"[\"a\", \"") && other.accept_bytes(b"[\""));
    let before = one.mask();
    for _ in 0..2999 {
        other.mask();
        assert!(other.accept_bytes(b"x"));
    }
    assert_eq!(one.mask(), before);
    assert!(other.accept_bytes(b"x\"]") && other.must_end());
    assert!(one.accept_bytes(b"\"]") && one.must_end());
}

#[test]
fn what_is_not_supported_is_refused_by_name_and_place() {
    let cases = [
        (json!(3), "#: expected a schema"),
        (json!({"type": "text"}), "#: type: expected object, array"),
        (
            json!({"properties": {"a/b": {"oneOf": []}}}),
            "#/properties/a~1b: oneOf is not supported",
        ),
        (
            json!({"items": {"anyOf": [true, {"not": {}}]}}),
            "#/items/anyOf/1: not is not supported",
        ),
        (
            json!({"$ref": "#/$defs/x", "$defs": {"x": {"multipleOf": 2}}}),
            "#/$defs/x: multipleOf is not supported",
        ),
        (json!({"items": {"$id": "http://a.b/c"}}), "#/items: $id is not supported"),
        (json!({"$ref": "#/$defs/y"}), "#: $ref: there is no \"#/$defs/y\""),
        (json!({"$ref": "http://a.b/c"}), "#: $ref: there is no \"http://a.b/c\""),
        (json!({"$ref": "#", "type": "null"}), "#: type beside $ref is not supported"),
        (json!({"anyOf": [true], "minimum": 3}), "#: minimum beside anyOf"),
        (json!({"allOf": [true, true]}), "#: allOf with more than one schema"),
        (json!({"type": "string", "pattern": "a(?=b)"}), "#: pattern: look-around"),
        (json!({"type": "string", "pattern": "a^"}), "#: pattern: ^, $"),
        (json!({"type": "string", "pattern": "\\bx"}), "#: pattern: ^, $, \\b"),
        (json!({"type": "string", "pattern": "a{2,1}"}), "#: pattern: invalid repetition"),
        (json!({"type": "string", "pattern": "[[a]]"}), "#: pattern: [ in a class"),
        (json!({"type": "string", "pattern": "[a&&b]"}), "#: pattern: && in a class"),
        (
            json!({"type": "string", "pattern": "x", "maxLength": 3}),
            "#: maxLength beside pattern",
        ),
        (json!({"type": "string", "format": "ipv4"}), "#: format \"ipv4\" is not supported"),
        (json!({"minItems": 3, "maxItems": 2}), "#: minItems is more than maxItems"),
        (json!({"type": "string", "minLength": -1}), "#: minLength: expected a whole number"),
        (json!({"type": "number", "minimum": "3"}), "#: minimum: expected a number"),
        (
            json!({"type": "number", "minimum": 3, "maximum": 2}),
            "#: no number is within these bounds",
        ),
        (
            json!({"type": "object", "additionalProperties": false, "required": ["b"]}),
            "#: no answer can be valid",
        ),
        (json!(false), "#: no answer can be valid"),
        (json!({"$ref": "#"}), "#: no answer can be valid"),
        (
            json!({"type": "array", "minItems": 1, "items": {"$ref": "#"}}),
            "#: no answer can be valid",
        ),
        (json!({"enum": []}), "#: no answer can be valid"),
    ];
    for (schema, expected) in cases {
        match Grammar::from_schema(&schema) {
            Ok(_) => panic!("{schema} is not refused"),
            Err(error) => assert!(error.to_string().starts_with(expected), "{schema}: {error}"),
        }
    }
}

/// Deep, wide, recursive, huge, and with patterns that explode where automata are made of them beforehand.
fn hostile() -> Vec<(&'static str, Value)> {
    let nested = |depth: usize, wrap: fn(Value) -> Value| {
        (0..depth).fold(json!({"type": "null"}), |inner, _| wrap(inner))
    };
    let object = |members: Vec<(String, Value)>| Value::Object(members.into_iter().collect());
    let wide: Vec<(String, Value)> =
        (0..10_000).map(|number| (format!("p{number}"), json!(true))).collect();
    let words: Vec<String> =
        (0..20_000).map(|number| format!("word {}", number * 7919 % 1_000_003)).collect();
    let chain: Vec<(String, Value)> = (0..20_000)
        .map(|number| {
            (format!("d{number}"), json!({"$ref": format!("#/$defs/d{}", number + 1)}))
        })
        .collect();
    let chain = [chain, vec![("d20000".into(), json!({"type": "null"}))]].concat();
    let many: Vec<Value> = (0..300)
        .map(|most| json!({"type": "array", "maxItems": most, "items": {"$ref": "#"}}))
        .collect();
    let prefixes: Vec<String> = (1..2000).map(|length| "a".repeat(length)).collect();
    let pattern = |text: &str| json!({"type": "string", "pattern": text});
    vec![
        ("deep lists", nested(1000, |inner| json!({"items": inner}))),
        (
            "deep objects",
            nested(
                90,
                |inner| json!({"type": "object", "properties": {"a": inner}, "required": ["a"]}),
            ),
        ),
        ("wide", json!({"type": "object", "properties": object(wide)})),
        ("words", json!({"enum": words})),
        ("prefixes", json!({"enum": prefixes})),
        ("a chain", json!({"$ref": "#/$defs/d0", "$defs": object(chain)})),
        ("lists of lists", json!({"anyOf": many})),
        ("counters in counters", pattern("^(((a{1,60}b?){1,60}a?){1,60}c?){1,60}$")),
        ("the last but twenty", pattern("(a|b)*a[ab]{20}$")),
        ("far behind", pattern(&".{0,60}x".repeat(40))),
        ("ten thousand times ten thousand", pattern("^(a{0,9999}b){9999}$")),
        ("many classes", pattern(&"[a-f][^x]".repeat(5000))),
        ("deep groups", pattern(&format!("{}a{}", "(".repeat(9000), ")".repeat(9000)))),
        ("long strings", json!({"type": "string", "minLength": 4_000_000_000u32})),
        (
            "many bounds",
            json!({"anyOf": (0..2000).map(|n| json!({"type": "number", "minimum": n as f64 / 7.0})).collect::<Vec<_>>()}),
        ),
    ]
}

#[test]
fn no_schema_costs_more_than_two_seconds() {
    let trie = vocabulary(1);
    for (name, schema) in hostile() {
        let start = Instant::now();
        if let Ok(grammar) = Grammar::from_schema(&schema) {
            let mut matcher = Matcher::new(Arc::new(grammar), trie.clone());
            let mut random = SplitMix64::new(5);
            for _ in 0..20 {
                let mask: Vec<u32> = matcher.mask().iter().collect();
                assert!(!mask.is_empty() || matcher.may_end(), "{name} is stuck");
                if mask.is_empty() {
                    break;
                }
                matcher.accept(mask[random.below(mask.len())]);
            }
        }
        let most = Duration::from_secs(if cfg!(debug_assertions) { 20 } else { 2 });
        assert!(start.elapsed() < most, "{name} took {:?}", start.elapsed());
    }
}

#[test]
fn a_mask_that_allows_everything_changes_no_bit() {
    let tokenizer =
        Tokenizer::from_gguf(&embedded::tiny_qwen3().expect("it's there")).expect("it has one");
    let vocab = tokenizer.vocab_size();
    let mut set = TokenSet::new(vocab);
    (0..vocab as u32).for_each(|id| set.set(id, true));
    let mut random = SplitMix64::new(11);
    let mut draw =
        || -> Vec<f32> { (0..vocab).map(|_| random.fraction() as f32 * 20.0 - 10.0).collect() };
    let logits = draw();
    let mut masked = logits.clone();
    set.apply(&mut masked);
    assert!(logits.iter().zip(&masked).all(|(a, b)| a.to_bits() == b.to_bits()));

    // The same in an answer: any byte, any number of times.
    let mut rules = Rules::begin();
    let byte = rules.add(Node::Byte(vec![(0, 255)]));
    let all = rules.repeat(byte, 0, MANY);
    let matcher = Matcher::new(
        Arc::new(rules.grammar(all).expect("it's small")),
        Arc::new(TokenTrie::new(&tokenizer)),
    );
    let config = Config { vocab, ..test_support::qwen3_0_6b() };
    let end = tokenizer.id_of("<|im_end|>").expect("it has one");
    let config = Config { eos_ids: vec![end], ..config };
    for temperature in [0.0, 1.0, 2.0] {
        let mut options = Options { max_new_tokens: 300, ..Options::default() };
        options.sampling.temperature = temperature;
        options.sampling.top_p = 0.9;
        let request = Request::new(vec![5], options, &config).expect("it fits");
        let mut decoders = [None, Some(matcher.clone())].map(|matcher| {
            let asked = EngineRequest {
                request: request.clone(),
                bias: Vec::new(),
                likely: Some(2),
                replay: None,
                matcher,
            };
            Decoder::new(asked, &tokenizer).expect("it's right")
        });
        loop {
            let mut logits = draw();
            // Other control tokens are no text, so a mask never has them.
            for id in (0..vocab as u32).filter(|id| *id != end) {
                if tokenizer.printed_bytes(id).expect("it's known").is_empty() {
                    logits[id as usize] = f32::NEG_INFINITY;
                }
            }
            let [free, masked] =
                decoders.each_mut().map(|decoder| decoder.take(&logits).expect("it goes on"));
            assert_eq!(free, masked);
            if free.finish.is_some() {
                break;
            }
        }
        assert!(decoders[0].generated() > 5, "hardly any token was compared");
    }
}
