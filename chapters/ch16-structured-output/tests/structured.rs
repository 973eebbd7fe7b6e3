//! At the port: answers that are held to a schema, and calls of tools.

use ch16_structured_output as engine;

use std::collections::BTreeSet;
use std::sync::Arc;

use engine::matcher::Matcher;
use engine::serve::held;
use engine::token_trie::TokenTrie;
use ground::embedded::tiny_qwen3;
use ground::request::Options;
use ground::tokenizer::Tokenizer;
use openai::ValidatedRequest;
use serde_json::{Value, json};
use served::{CHAT, COMPLETIONS, said, serve, with};
use test_support::root;
use test_support::served::Served;

#[path = "../../../tests/shared/served.rs"]
mod served;

fn schema() -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": ["place", "word", "times"],
        "properties": {
            "place": { "enum": ["garden", "kitchen"] },
            "word": { "type": "string", "maxLength": 6 },
            "times": { "type": "array", "items": { "type": "integer", "minimum": 0, "maximum": 99 }, "maxItems": 3 },
        },
    })
}

fn is_valid(text: &str) -> bool {
    let Ok(Value::Object(object)) = serde_json::from_str(text) else { return false };
    let word = object["word"].as_str().expect("a text");
    let times = object["times"].as_array().expect("a list");
    let is_time = |time: &Value| time.as_u64().is_some_and(|time| time < 100);
    object.keys().eq(["place", "word", "times"])
        && (object["place"] == "garden" || object["place"] == "kitchen")
        && word.chars().count() <= 6
        && times.len() <= 3
        && times.iter().all(is_time)
}

fn by(schema: Value) -> Value {
    json!({ "type": "json_schema", "json_schema": { "name": "a", "strict": true, "schema": schema } })
}

fn asked() -> Value {
    json!({ "messages": [{ "role": "user", "content": "Where is the ball?" }],
        "temperature": 0, "max_tokens": 300, "seed": 1 })
}

/// A server whose model gets tools by a template of ours.
fn with_tools() -> Served {
    let template = root().join("tests/fixtures/chat/tools.jinja");
    serve(&["--chat-template", template.to_str().expect("a path")])
}

fn tools() -> Value {
    let tool = |name: &str, parameters: Value| json!({ "type": "function", "function": { "name": name, "parameters": parameters } });
    json!([
        tool("look", schema()),
        tool(
            "look_again",
            json!({ "type": "object",
        "properties": { "deep": { "type": "boolean" } }, "required": ["deep"], "additionalProperties": false })
        )
    ])
}

#[test]
fn an_answer_is_held_to_its_schema_whole_and_streamed() {
    let server = serve(&[]);
    for temperature in [0, 1, 2] {
        for think in [false, true] {
            for seed in 0..6 {
                let body = with(&asked(), "response_format", by(schema()));
                let body = with(&with(&body, "temperature", temperature), "seed", seed);
                let options = json!({ "enable_thinking": think });
                let body =
                    with(&with(&body, "chat_template_kwargs", options), "max_tokens", 900);
                let answer = server.ask(CHAT, &body);
                let choice = &answer["choices"][0];
                let text = choice["message"]["content"].as_str().expect("a text");
                // A thought has no end by itself.
                match choice["finish_reason"].as_str() {
                    Some("stop") => assert!(is_valid(text), "{body}: {text}"),
                    _ => assert!(think && text.is_empty(), "{body}: {answer}"),
                }
                let chunks = server.stream(CHAT, &body);
                let deltas = chunks.iter().filter_map(|chunk| chunk["choices"].get(0));
                let streamed = deltas.filter_map(|choice| choice["delta"]["content"].as_str());
                assert_eq!(streamed.collect::<String>(), text, "{body}");
                let told = &chunks.last().expect("the usage")["usage"]["completion_tokens"];
                assert_eq!(*told, answer["usage"]["completion_tokens"]);
            }
        }
    }
}

#[test]
fn tags_in_a_text_are_letters() {
    let server = serve(&[]);
    for said in ["<think>a</think>", "<tool_call>{</tool_call>"] {
        let schema = json!({ "type": "object", "properties": { "a": { "const": said } },
            "required": ["a"], "additionalProperties": false });
        let answer = server.ask(CHAT, &with(&asked(), "response_format", by(schema)));
        let text = answer["choices"][0]["message"]["content"].as_str().expect("a text");
        let object: Value = serde_json::from_str(text).expect("JSON");
        assert_eq!(object, json!({ "a": said }));
    }
}

#[test]
fn any_object_and_a_completion_are_held_too() {
    let server = serve(&[]);
    let body = with(&with(&asked(), "temperature", 1), "max_tokens", 200);
    for seed in 0..8 {
        let body = with(
            &with(&body, "seed", seed),
            "response_format",
            json!({ "type": "json_object" }),
        );
        let answer = server.ask(CHAT, &body);
        let text = answer["choices"][0]["message"]["content"].as_str().expect("a text");
        assert!(text.starts_with('{'), "{text}");
        if answer["choices"][0]["finish_reason"] == "stop" {
            let object: Value = serde_json::from_str(text).expect("an object");
            assert!(object.is_object(), "{text}");
        }
    }
    let body = json!({ "prompt": "Once", "max_tokens": 300, "response_format": by(schema()) });
    assert!(is_valid(&server.text(&body)));
}

#[test]
fn forced_stretches_save_passes_and_change_nothing() {
    let (guessing, alone) = (serve(&[]), serve(&["--speculate", "off"]));
    for temperature in [0, 1] {
        for seed in 0..6 {
            let body = with(&asked(), "response_format", by(schema()));
            let body = with(&with(&body, "temperature", temperature), "seed", seed);
            let body =
                with(&body, "stop", if seed == 5 { json!(["ord\": "]) } else { json!([]) });
            let [fast, slow] = [&guessing, &alone].map(|server| server.ask(CHAT, &body));
            assert_eq!(fast["choices"], slow["choices"], "{body}");
            let new = |answer: &Value| answer["usage"]["completion_tokens"].as_u64();
            assert_eq!(new(&fast), new(&slow), "{body}");
        }
    }
    let passes = [&guessing, &alone].map(|server| server.count("passes_total"));
    assert!(passes[0] * 10 < passes[1] * 7, "{passes:?}");
}

#[test]
fn a_document_that_is_cut_says_so() {
    let server = serve(&[]);
    let body = with(&asked(), "response_format", by(schema()));
    let whole = server.ask(CHAT, &body)["choices"][0]["message"]["content"].clone();
    let short = server.ask(CHAT, &with(&body, "max_tokens", 5));
    assert_eq!(short["choices"][0]["finish_reason"], "length");
    let text = short["choices"][0]["message"]["content"].as_str().expect("a text");
    assert!(whole.as_str().expect("a text").starts_with(text) && !text.is_empty(), "{text}");
}

#[test]
fn the_command_line_and_a_file_say_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let [file, lines] = ["schema.json", "lines.jsonl"].map(|name| folder.path().join(name));
    std::fs::write(&file, schema().to_string()).expect("written");
    let body = with(&asked(), "response_format", by(schema()));
    std::fs::write(&lines, format!("{}\n{body}\n", asked())).expect("written");
    let [file, lines] = [&file, &lines].map(|path| path.to_str().expect("a path"));
    let expected = serve(&[]).ask(CHAT, &body)["choices"][0]["message"]["content"].clone();
    assert!(is_valid(expected.as_str().expect("a text")));
    let alone = said(&["--json-schema", file, "--chat", "-n", "300", "Where is the ball?"]);
    assert_eq!(alone["text"], expected);
    let mut program = served::program();
    let output = program.args(["--json-schema", file, "--batch", lines]).output();
    let output = String::from_utf8(output.expect("it ran").stdout).expect("text");
    assert_eq!(output.lines().count(), 2);
    for line in output.lines() {
        let answer: Value = serde_json::from_str(line).expect("JSON");
        assert_eq!(answer["choices"][0]["message"]["content"], expected);
    }
    let answer = serve(&["--json-schema", file]).ask(CHAT, &asked());
    assert_eq!(answer["choices"][0]["message"]["content"], expected);
}

/// The calls in a stream, put together as a client does it.
fn joined(chunks: &[Value]) -> Vec<Value> {
    let mut calls: Vec<Value> = Vec::new();
    for chunk in chunks {
        let delta = chunk["choices"].get(0).map(|choice| choice["delta"]["tool_calls"].clone());
        for part in delta.iter().filter_map(Value::as_array).flatten() {
            let index = part["index"].as_u64().expect("an index") as usize;
            if index == calls.len() {
                let mut call = part.clone();
                call.as_object_mut().expect("an object").remove("index");
                calls.push(call);
            } else {
                let old = calls[index]["function"]["arguments"].as_str().expect("a text");
                let more = part["function"]["arguments"].as_str().expect("a text");
                calls[index]["function"]["arguments"] = (old.to_string() + more).into();
            }
        }
    }
    calls
}

fn without_ids(calls: &[Value]) -> Vec<Value> {
    calls.iter().map(|call| call["function"].clone()).collect()
}

#[test]
fn tools_are_called_by_whoever_must() {
    let server = with_tools();
    let named = json!({ "type": "function", "function": { "name": "look" } });
    let mut met = BTreeSet::new();
    for seed in 0..12 {
        let (choice, parallel) =
            [(json!("required"), true), (named.clone(), false)][seed % 2].clone();
        let body = with(&with(&asked(), "tools", tools()), "tool_choice", choice);
        let body = with(&with(&body, "parallel_tool_calls", parallel), "temperature", 1);
        let body = with(&with(&body, "seed", seed), "reasoning_effort", "none");
        let answer = server.ask(CHAT, &with(&body, "max_tokens", 2000));
        let choice = &answer["choices"][0];
        assert_eq!(choice["message"]["content"], Value::Null, "{answer}");
        let calls = choice["message"]["tool_calls"].as_array().expect("calls");
        let ids: BTreeSet<&str> = calls.iter().filter_map(|call| call["id"].as_str()).collect();
        assert_eq!(ids.len(), calls.len());
        assert!(parallel || calls.len() == 1, "{calls:?}");
        for call in calls {
            let function = &call["function"];
            let arguments = function["arguments"].as_str().expect("a text");
            let is_valid = match function["name"].as_str() {
                Some("look") => is_valid(arguments),
                Some("look_again") => {
                    ["{\"deep\": true}", "{\"deep\": false}"].contains(&arguments)
                }
                _ => false,
            };
            if choice["finish_reason"] == "tool_calls" {
                assert!(is_valid, "{call}");
            }
            met.insert(function["name"].to_string());
        }
        let chunks = server.stream(CHAT, &with(&body, "max_tokens", 2000));
        assert_eq!(without_ids(&joined(&chunks)), without_ids(calls));

        // What came of them is told, and the model goes on.
        let mut messages = asked()["messages"].clone();
        let list = messages.as_array_mut().expect("a list");
        list.push(choice["message"].clone());
        list.extend(calls.iter().map(|call| {
            json!({ "role": "tool", "tool_call_id": call["id"], "content": "<|im_end|> 8" })
        }));
        let body = json!({ "messages": messages, "tools": tools(), "tool_choice": "none", "max_tokens": 20 });
        if choice["finish_reason"] == "tool_calls" && calls.len() < 9 {
            let answer = server.ask(CHAT, &body);
            assert!(answer["choices"][0]["message"]["tool_calls"].is_null());
        }
    }
    assert_eq!(met.len(), 2, "both tools were called: {met:?}");
}

#[test]
fn who_needs_no_tool_writes_what_it_wrote_before() {
    let server = with_tools();
    for temperature in [0, 1] {
        let plain = with(&asked(), "temperature", temperature);
        let body = with(&with(&plain, "tools", tools()), "tool_choice", "none");
        assert_eq!(server.ask(CHAT, &body)["choices"], server.ask(CHAT, &plain)["choices"]);
    }
    let answer = server.ask(CHAT, &with(&asked(), "tools", tools()));
    assert!(answer["choices"][0]["message"]["content"].is_string(), "{answer}");
}

/// What an answer may be, by its bytes.
#[test]
fn a_call_is_held_from_its_tag_on() {
    let tokenizer = Tokenizer::from_gguf(&tiny_qwen3().expect("a model")).expect("a tokenizer");
    let trie = Arc::new(TokenTrie::new(&tokenizer));
    let grammar = |more: Value, thinks: bool| {
        let mut body = with(&asked(), "tools", tools());
        body.as_object_mut().expect("one").extend(more.as_object().expect("one").clone());
        let bytes = body.to_string();
        let request =
            ValidatedRequest::parse_structured(bytes.as_bytes(), true, Options::default());
        let request = request.expect("a request");
        Arc::new(held(None, request.tools.as_ref(), thinks).expect("rules").expect("some"))
    };
    let call = "<tool_call>\n{\"name\": \"look_again\", \"arguments\": {\"deep\": true}}\n</tool_call>";
    let two = format!("{call}\n{call}");
    let (auto, one) = (json!({}), json!({ "parallel_tool_calls": false }));
    let must = json!({ "tool_choice": "required" });
    let named =
        json!({ "tool_choice": { "type": "function", "function": { "name": "look" } } });
    // It may be the answer, or may become one, or can't come.
    let (all, part, not) = (Some(true), Some(false), None);
    for (more, thinks, text, expected) in [
        (&auto, false, "Hello", all),
        (&auto, false, "", all),
        (&auto, false, "1 < 2 <tool <<tool_call <tool_cal", all),
        (&auto, false, "Look: <tool_call>", part),
        (&auto, false, "Look: <tool_call> {", not),
        (&auto, false, call, all),
        (&auto, false, &format!("I look.\n{call}"), all),
        (&auto, false, &format!("<<tool_call>{}", &call[11..]), all),
        (&auto, false, "<<tool_call> {", not),
        (&auto, false, &format!("{call} There."), not),
        (&auto, false, &two, all),
        (&auto, false, "<tool_call>\n{\"name\": \"look_", part),
        (
            &auto,
            false,
            "<tool_call>\n{\"name\": \"look\", \"arguments\": {\"place\": \"garden\", \"w",
            part,
        ),
        (&auto, false, "<tool_call>\n{\"name\": \"other", not),
        (&auto, false, "<tool_call>\n{\"name\": \"look\", \"arguments\": {\"deep\"", not),
        (&one, false, call, all),
        (&one, false, &two, not),
        (&must, false, "Hello", not),
        (&must, false, "", part),
        (&must, false, &two, all),
        (&named, false, call, not),
        (&must, true, &format!("<think>\nI <tool_call> it.\n</think>\n\n{call}"), all),
        (&must, true, "<think>\nHm </think </think>\n\n", part),
        (&must, true, "<think> </think>Hello", not),
        (&must, true, call, all),
        (&must, false, "<think>", not),
    ] {
        let mut matcher = Matcher::new(grammar(more.clone(), thinks), trie.clone());
        let found = matcher.accept_bytes(text.as_bytes()).then(|| matcher.may_end());
        assert_eq!(found, expected, "{more} {thinks}: {text}");
    }
}

#[test]
fn what_cannot_be_held_is_refused_by_its_place() {
    let (server, plain) = (with_tools(), serve(&[]));
    let function = |function: Value| json!([{ "type": "function", "function": function }]);
    let called = |id: &str| json!([asked()["messages"][0], { "role": "tool", "tool_call_id": id, "content": "" }]);
    let unknown = json!({ "type": "object", "properties": { "a": { "minLengths": 1 } } });
    for (name, value, param) in [
        (
            "response_format",
            by(unknown.clone()),
            "response_format.json_schema.schema/properties/a",
        ),
        ("response_format", json!({ "type": "xml" }), "response_format.type"),
        ("response_format", json!({ "type": "json_schema" }), "response_format"),
        ("response_format", json!({ "type": "text", "colour": 1 }), "response_format"),
        ("response_format", json!("json"), "response_format"),
        ("response_format", by(json!({ "enum": vec![0; 40_000] })), "response_format"),
        ("tools", json!({}), "tools"),
        ("tools", function(json!({ "name": "a b" })), "tools[0].function.name"),
        (
            "tools",
            function(json!({ "name": "a", "parameters": { "type": "array" } })),
            "tools[0].function.parameters.type",
        ),
        (
            "tools",
            function(json!({ "name": "a", "parameters": unknown })),
            "tools[0].function.parameters/properties/a",
        ),
        ("tools", json!([{ "type": "web_search" }]), "tools[0].type"),
        ("tools", json!([tools()[0], tools()[0]]), "tools"),
        ("tool_choice", json!("required"), "tool_choice"),
        (
            "tool_choice",
            json!({ "type": "function", "function": { "name": "other" } }),
            "tool_choice",
        ),
        ("messages", called("a"), "messages[1].tool_call_id"),
    ] {
        let answer = server.post(CHAT, &with(&asked(), name, value));
        assert_eq!(answer.status, 400, "{name}: {answer:?}");
        assert_eq!(answer.json()["error"]["param"], param, "{name}: {answer:?}");
    }
    let both = with(&with(&asked(), "response_format", by(schema())), "tools", tools());
    let answer = server.post(CHAT, &both);
    assert_eq!(answer.json()["error"]["param"], "response_format", "{answer:?}");
    let answer = plain.post(CHAT, &with(&asked(), "tools", tools()));
    assert_eq!((answer.status, answer.error().as_str()), (400, "unsupported_parameter"));
    let answer = server.post(COMPLETIONS, &json!({ "prompt": "a", "tools": tools() }));
    assert_eq!((answer.status, answer.error().as_str()), (400, "unknown_parameter"));
    for path in ["/v1/responses", "/v1/messages", "/v1/messages/count_tokens", "/responses"] {
        let answer = server.post(path, &asked());
        let message = answer.json()["error"]["message"].to_string();
        assert!(answer.status == 404 && message.contains(" /v1/chat/completions"), "{message}");
    }
}
