//! An answer that comes whole: what the command line says, and a refusal that names the field.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::collections::BTreeSet;

use serde_json::json;
use served::{CHAT, COMPLETIONS, said, serve, whole, with};

#[test]
fn the_port_says_what_the_command_line_says() {
    let server = serve(&[]);
    let (story, question) =
        ("One windy morning, Tomas the fox", "What is the capital of Japan?");
    let drawn = json!({ "temperature": 0.9, "seed": 11, "top_p": 0.9, "top_k": 40, "repetition_penalty": 1.1 });
    let flags = "--temperature=0.9 --seed=11 --top-p=0.9 --top-k=40 --repetition-penalty=1.1";
    let drawn_flags: Vec<&str> = flags.split(' ').collect();
    let greedy = json!({ "temperature": 0 });
    for (prompt, chat, settings, flags) in [
        (story, false, &greedy, &[][..]),
        (story, false, &drawn, &drawn_flags),
        (story, false, &json!({ "temperature": 0, "stop": " the" }), &["--stop", " the"]),
        (story, false, &json!({ "temperature": 0, "ignore_eos": true }), &["--ignore-eos"]),
        (question, true, &greedy, &["--chat"]),
        (question, true, &drawn, &[&["--chat"][..], &drawn_flags].concat()),
    ] {
        let expected = said(&[&[prompt, "-n", "32"], flags].concat());
        let (path, name, value) = match chat {
            true => (CHAT, "messages", json!([{ "role": "user", "content": prompt }])),
            false => (COMPLETIONS, "prompt", prompt.into()),
        };
        let body = with(&with(settings, name, value), "max_tokens", 32);
        let found = server.post(path, &body).json();
        let (text, thought, finish) = whole(&found).remove(0);
        assert_eq!(
            (text.as_str(), thought.as_str()),
            (expected["text"].as_str().expect("a text"), ""),
            "{body}"
        );
        let ended = if expected["finish_reason"] == "length" { "length" } else { "stop" };
        assert_eq!(finish, ended, "{body}");
        let count = |name: &str| expected[name].as_array().map(Vec::len);
        let usage = |name: &str| found["usage"][name].as_u64().map(|count| count as usize);
        assert_eq!(usage("prompt_tokens"), count("prompt_ids"), "{body}");
        assert_eq!(usage("completion_tokens"), count("generated_ids"), "{body}");
    }
}

#[test]
fn the_fingerprint_names_what_decides_on_the_bits() {
    let fingerprint = |flags: &[&str]| {
        let answer = serve(flags).post(COMPLETIONS, &served::short("a")).json();
        answer["system_fingerprint"].as_str().expect("a fingerprint").to_string()
    };
    let plain = fingerprint(&[]);
    for same in ["--threads 3", "--kv basic", "--backend scalar", "--alias x"] {
        assert_eq!(fingerprint(&same.split(' ').collect::<Vec<_>>()), plain, "{same}");
    }
    let script = test_support::root().join("tests/fixtures/models/script.gguf");
    let script = script.to_str().expect("a plain path");
    let others = [plain, fingerprint(&["--kv-type", "f32"]), fingerprint(&["--model", script])];
    assert_eq!(BTreeSet::from(others.clone()).len(), 3, "{others:?}");
}

#[test]
fn a_message_forges_no_turn_and_a_completion_says_what_it_means() {
    let server = serve(&[]);
    let tokens = |path: &str, body| {
        let answer = server.post(path, &with(&body, "max_tokens", 1)).json();
        answer["usage"]["prompt_tokens"].as_u64().expect("a count")
    };
    let chat =
        |said: &str| tokens(CHAT, json!({ "messages": [{ "role": "user", "content": said }] }));
    assert_eq!(chat("<think>"), chat("") + 1);
    assert!(chat("<|im_end|>") > chat("") + 4, "it is one token");
    assert_eq!(tokens(COMPLETIONS, json!({ "prompt": "<|im_end|>" })), 1);
}

#[test]
fn without_a_seed_each_answer_is_another_one() {
    let server = serve(&[]);
    let body = json!({ "prompt": "Once upon", "temperature": 1.5, "max_tokens": 12 });
    let texts: BTreeSet<String> = (0..4).map(|_| server.text(&body)).collect();
    assert!(texts.len() > 1, "{texts:?}");
    let body = with(&body, "seed", 3);
    assert_eq!(server.text(&body), server.text(&body));
    let server = serve(&["--seed", "8"]);
    let body = json!({ "prompt": "Once upon", "temperature": 1.5, "max_tokens": 12 });
    assert_eq!(server.text(&body), server.text(&body), "the server's own seed");
}

#[test]
fn a_refusal_names_the_field() {
    let server = serve(&["--context", "40"]);
    let says = |text: &str| json!([{ "role": "user", "content": text }]);
    let (plain, long) = (json!({ "prompt": "a" }), "and so on ".repeat(30));
    let function = json!({ "name": "f", "arguments": "{}" });
    let call = json!([{ "id": "a", "type": "function", "function": function }]);
    let tools = json!([{ "type": "function", "function": { "name": "f", "parameters": {} } }]);
    let called = json!({ "messages": [
        { "role": "user", "content": "b" },
        { "role": "assistant", "content": null, "tool_calls": call },
        { "role": "tool", "tool_call_id": "a", "content": "8" }] });
    for (path, body, status, code, param) in [
        (COMPLETIONS, with(&plain, "colour", 1), 400, "unknown_parameter", "colour"),
        (COMPLETIONS, with(&plain, "temperature", 9), 400, "invalid_value", "temperature"),
        (COMPLETIONS, with(&plain, "model", "another"), 404, "model_not_found", "model"),
        (
            COMPLETIONS,
            with(&plain, "logit_bias", json!({ "999999": 1 })),
            400,
            "invalid_value",
            "logit_bias",
        ),
        (
            COMPLETIONS,
            with(&plain, "logit_bias", json!({ "a token": 1 })),
            400,
            "invalid_value",
            "logit_bias",
        ),
        (COMPLETIONS, json!({ "prompt": [999_999] }), 400, "invalid_value", "prompt"),
        (COMPLETIONS, json!({ "prompt": &long }), 400, "context_length_exceeded", "prompt"),
        (CHAT, json!({ "messages": says(&long) }), 400, "context_length_exceeded", "messages"),
        (CHAT, with(&called, "tools", tools.clone()), 400, "unsupported_parameter", "tools"),
        (CHAT, called, 400, "unsupported_parameter", "messages[1].tool_calls"),
        (
            CHAT,
            json!({ "messages": [{ "role": "tool", "tool_call_id": "a", "content": "8" }] }),
            400,
            "unsupported_parameter",
            "messages[0].role",
        ),
        (
            CHAT,
            json!({ "messages": [{ "role": "user", "content": null }] }),
            400,
            "invalid_value",
            "messages[0].content",
        ),
        (
            COMPLETIONS,
            with(&plain, "cache_salt", "a"),
            400,
            "unsupported_parameter",
            "cache_salt",
        ),
        (CHAT, plain, 400, "missing_parameter", "messages"),
    ] {
        let answer = server.post(path, &body);
        let error = &answer.json()["error"];
        let found = (answer.status, &error["code"], &error["param"]);
        assert_eq!(found, (status, &json!(code), &json!(param)), "{body}");
    }
    let mut body = json!({ "prompt": "a", "max_tokens": 1, "temperature": 0 });
    assert_eq!(server.text(&body), "a");
    body["tools"] = tools; // which it is not to use
    body["tool_choice"] = "none".into();
    assert_eq!(server.text(&body), "a");
}
