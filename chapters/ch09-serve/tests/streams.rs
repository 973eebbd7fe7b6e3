//! What comes through the port is what the command line says, whole or in a stream, alone or in company.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::collections::BTreeSet;
use std::sync::LazyLock;
use std::thread;

use ground::random::SplitMix64;
use ground::tokenizer::Tokenizer;
use serde_json::{Map, Value, json};
use served::{CHAT, COMPLETIONS, joined, post, serve, text_of, whole, with};

static TOKENIZER: LazyLock<Tokenizer> = LazyLock::new(|| {
    let file = ground::embedded::tiny_qwen3().expect("it opens");
    Tokenizer::from_gguf(&file).expect("it has one")
});

/// The tokens of one byte each that make up this text.
fn bytes(text: &str) -> Vec<u32> {
    let is = |id: u32, byte: u8| TOKENIZER.printed_bytes(id).is_ok_and(|bytes| bytes == [byte]);
    let id = |byte: u8| (0..4000).find(|&id| is(id, byte)).expect("a token for each byte");
    text.bytes().map(id).collect()
}

fn bias(ids: &[u32], by: impl Fn(usize) -> f64) -> Value {
    let pairs = ids.iter().enumerate().map(|(at, id)| (id.to_string(), json!(by(at))));
    pairs.collect::<Map<_, _>>().into()
}

/// Many kinds of requests: (path, body).
fn requests() -> Vec<(&'static str, Value)> {
    let user = |text: &str| json!([{ "role": "user", "content": text }]);
    let emoji = bytes("😀");
    let pieces: Vec<u32> = bytes("😀äb").into_iter().collect();
    let said_once = |tokens: usize| {
        // Bytes in the order of a character: each is said once, because once it is there it is punished.
        let bias = bias(&emoji, |at| 100.0 - 10.0 * at as f64);
        let body = json!({ "prompt": "Once", "temperature": 0, "repetition_penalty": 100 });
        with(&with(&body, "max_tokens", tokens), "logit_bias", bias)
    };
    let with_prompt = [
        json!({ "prompt": "Once upon a time", "temperature": 0, "max_tokens": 30 }),
        json!({ "prompt": "Once upon a time", "temperature": 0 }),
        json!({ "prompt": [5, 17, 300], "temperature": 1, "seed": 5, "max_tokens": 20 }),
        json!({ "prompt": "The little", "temperature": 0, "max_tokens": 40, "stop": [" the", "."] }),
        json!({ "prompt": "The little", "temperature": 0, "max_tokens": 8, "logprobs": 3 }),
        json!({ "prompt": ["a", "The little", "Once"], "temperature": 0.7, "seed": 1, "max_tokens": 6 }),
        said_once(4),
        said_once(3),
    ];
    let chats = [
        ("What is the capital of France?", json!({ "temperature": 0 })),
        ("Tell me a story.", json!({ "temperature": 0.9, "seed": 9, "max_tokens": 25 })),
        (
            "Count to ten.",
            json!({ "temperature": 0, "max_tokens": 9, "logprobs": true, "top_logprobs": 2 }),
        ),
        (
            "What is 3 plus 4?",
            json!({ "temperature": 0, "max_tokens": 40, "reasoning_effort": "low" }),
        ),
    ];
    let mut all = with_prompt.map(|body| (COMPLETIONS, body)).to_vec();
    all.extend(chats.map(|(text, body)| (CHAT, with(&body, "messages", user(text)))));
    // And in any order: halves, and wholes by chance.
    for seed in 0..6 {
        let body = json!({
            "temperature": 2, "seed": seed, "max_tokens": 40, "logit_bias": bias(&pieces, |_| 100.0),
        });
        all.push((COMPLETIONS, with(&body, "prompt", "a")));
        all.push((CHAT, with(&with(&body, "messages", user("a")), "logprobs", true)));
    }
    all
}

/// All that was said of how likely tokens were, of one kind of answer or the other.
fn logprobs<'a>(parts: impl Iterator<Item = &'a Value>) -> Vec<Value> {
    let mut all = Vec::new();
    for logprobs in parts.flat_map(|part| part["choices"].as_array().expect("choices")) {
        let logprobs = &logprobs["logprobs"];
        for name in ["content", "tokens", "token_logprobs", "text_offset", "top_logprobs"] {
            all.extend(
                logprobs[name].as_array().into_iter().flatten().map(|one| json!([name, one])),
            );
        }
    }
    all.sort_by_key(|one| one[0].to_string());
    all
}

#[test]
fn a_stream_is_the_whole_in_pieces() {
    let server = serve(&[]);
    let mut ids = BTreeSet::new();
    for (path, body) in requests() {
        let answer = server.post(path, &body);
        assert_eq!(answer.status, 200, "{body}: {answer:?}");
        let answer = answer.json();
        let stream = with(&body, "stream", true);
        let plain = server.post(path, &stream);
        assert!(plain.head.contains("content-type: text/event-stream"), "{plain:?}");
        let plain = plain.chunks();
        let costed = with(&stream, "stream_options", json!({ "include_usage": true }));
        let mut costed = server.post(path, &costed).chunks();
        let cost = costed.pop().expect("a last chunk");
        assert_eq!(
            (&cost["usage"], &cost["choices"]),
            (&answer["usage"], &json!([])),
            "{body}"
        );
        // Each answer's own tokens, so far.
        let counted =
            with(&stream, "stream_options", json!({ "continuous_usage_stats": true }));
        let counted = server.post(path, &counted).chunks();
        let ends = counted.iter().filter(|c| !c["choices"][0]["finish_reason"].is_null());
        let tokens = |chunk: &Value| chunk["usage"]["completion_tokens"].as_u64();
        let sum: Option<u64> = ends.map(tokens).sum();
        assert_eq!(sum, tokens(&answer), "{body}");
        assert!(counted.iter().filter_map(tokens).is_sorted() || whole(&answer).len() > 1);
        let is_chat = path == CHAT;
        for chunks in [&plain, &costed] {
            assert_eq!(joined(chunks, whole(&answer).len()), whole(&answer), "{body}");
            assert_eq!(logprobs(chunks.iter()), logprobs([&answer].into_iter()), "{body}");
            assert!(
                chunks.iter().all(|chunk| chunk.get("usage").is_none_or(Value::is_null)),
                "{body}"
            );
            let of = |name: &str| -> BTreeSet<String> {
                chunks.iter().map(|chunk| chunk[name].to_string()).collect()
            };
            assert!(ids.insert(chunks[0]["id"].to_string()), "two answers of one name: {body}");
            for name in ["id", "created", "model", "system_fingerprint", "object"] {
                assert_eq!(of(name).len(), 1, "{name}: {body}");
            }
            let object = if is_chat { "chat.completion.chunk" } else { "text_completion" };
            assert_eq!(chunks[0]["object"], object);
            assert_eq!(chunks[0]["system_fingerprint"], answer["system_fingerprint"]);
            if is_chat {
                assert_eq!(chunks[0]["choices"][0]["delta"]["role"], "assistant", "{body}");
                let roles =
                    chunks.iter().filter(|c| c["choices"][0]["delta"].get("role").is_some());
                assert_eq!(roles.count(), 1, "{body}");
            }
        }
        assert!(ids.insert(answer["id"].to_string()), "two answers of one name: {body}");
        assert_eq!(
            answer["object"],
            if is_chat { "chat.completion" } else { "text_completion" }
        );
    }
}

#[test]
fn a_character_in_pieces_comes_whole_and_half_a_one_at_the_end_only() {
    let server = serve(&[]);
    let ids = bytes("😀");
    let body = |tokens: usize| {
        json!({
            "prompt": "Once", "temperature": 0, "max_tokens": tokens, "repetition_penalty": 100,
            "logit_bias": bias(&ids, |at| 100.0 - 10.0 * at as f64), "stream": true,
        })
    };
    let texts = |tokens: usize| -> Vec<String> {
        let chunks = server.post(COMPLETIONS, &body(tokens)).chunks();
        let texts = chunks.iter().map(|chunk| text_of(chunk).to_string());
        texts.filter(|text| !text.is_empty()).collect()
    };
    assert_eq!(texts(4), ["😀"]);
    for tokens in 1..4 {
        assert_eq!(texts(tokens), ["\u{fffd}"], "{tokens}");
    }
    // Of any bytes in any order, the text is what they are, as far as they are characters.
    for (_, body) in requests()
        .into_iter()
        .filter(|(path, body)| *path == CHAT && body["logit_bias"].is_object())
    {
        let answer = server.post(CHAT, &body).json();
        let choice = &answer["choices"][0];
        let tokens = choice["logprobs"]["content"].as_array().expect("tokens").iter();
        let bytes = tokens.flat_map(|token| token["bytes"].as_array().expect("bytes"));
        let bytes: Vec<u8> = bytes.map(|byte| byte.as_u64().expect("a byte") as u8).collect();
        assert_eq!(choice["message"]["content"], String::from_utf8_lossy(&bytes).as_ref());
        assert_eq!(bytes.len(), 40, "one byte each");
    }
}

#[test]
fn equal_requests_in_any_company_get_equal_answers() {
    let server = serve(&[]);
    let requests = requests();
    let alone: Vec<_> =
        requests.iter().map(|(path, body)| whole(&server.post(path, body).json())).collect();
    thread::scope(|scope| {
        for client in 0..8 {
            let (server, requests, alone) = (&server, &requests, &alone);
            scope.spawn(move || {
                let mut random = SplitMix64::new(client);
                let mut connection = server.client();
                for _ in 0..8 {
                    let which = random.below(requests.len());
                    let (path, body) = &requests[which];
                    match random.below(4) {
                        0 => {
                            // Company that leaves.
                            let body = with(body, "max_tokens", 200);
                            server.client().send(&post(path, &with(&body, "stream", true)));
                        }
                        1 => {
                            let bytes = post(path, &with(body, "stream", true));
                            let chunks = connection.ask(&bytes).expect("an answer").chunks();
                            assert_eq!(
                                joined(&chunks, alone[which].len()),
                                alone[which],
                                "{body}"
                            );
                        }
                        _ => {
                            let answer = connection.ask(&post(path, body)).expect("an answer");
                            assert_eq!(whole(&answer.json()), alone[which], "{body}");
                        }
                    }
                }
            });
        }
    });
}
