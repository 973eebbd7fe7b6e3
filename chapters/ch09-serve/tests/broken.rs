//! A request that breaks the engine in the middle: that one fails, whole or streamed, and the next is answered right.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::{env, thread};

use ch09_serve::backend::Backend;
use ch09_serve::cache::{KvType, Mode};
use ch09_serve::compute::ComputeContext;
use ch09_serve::context::Context;
use ch09_serve::engine;
use ch09_serve::how::How;
use ch09_serve::queue::Queue;
use ch09_serve::recorder::system_clock;
use ch09_serve::serve::{End, Server, serve};
use ch09_serve::session::Session;
use ground::chat::ChatTemplate;
use ground::request::Options;
use serde_json::{Value, json};
use served::{Served, said};
use tokio::sync::{Semaphore, watch};

const PATH: &str = "/v1/completions";

/// With this variable the test is the server that it asks.
const IS_SERVER: &str = "CH09_TEST_IS_SERVER";

/// More tokens than the model has: what `validate` lets through then, the engine can't compute.
const BELIEVED: usize = 1 << 20;

/// A server as `run` makes it, but its checks believe in too large a vocabulary.
fn serve_the_credulous() {
    let file = Box::leak(Box::new(ground::embedded::tiny_qwen3().expect("it opens")));
    let open = || {
        let compute = ComputeContext::new(Backend::choose("auto").expect("there is one"), 1);
        let compute = compute.expect("it starts");
        Session::open(file, system_clock(), compute, KvType::F16).expect("it opens")
    };
    let session: &Session = Box::leak(Box::new(open()));
    let mut believes = open();
    believes.model.config.vocab = BELIEVED;
    let config = &session.model.config;
    let positions = config.context_length;
    let how = How { kv: Mode::Contiguous, prefill_chunk: 8.try_into().expect("not zero") };
    let cache = how.kv.cache(config, KvType::F16, positions).expect("there is room");
    let mut context = Context::new(cache, &how, positions);
    let server: &Server = Box::leak(Box::new(Server {
        session: Box::leak(Box::new(believes)),
        template: ChatTemplate::of(file, &session.tokenizer).expect("it has one"),
        positions,
        options: Options::default(),
        has_seed: true,
        think: false,
        names: vec!["credulous".into()],
        key: None,
        only_loopback: true,
        fingerprint: String::new(),
        started: 0,
        renderers: Semaphore::new(1),
        queue: Queue::new(8),
        busy: Arc::new(()),
        end: watch::Sender::new(End::Far),
    }));
    let engine = thread::spawn(move || engine::work(session, &mut context, &server.queue));
    serve(server, engine, [127, 0, 0, 1].into(), 0).expect("it serves");
}

#[test]
fn what_breaks_the_engine_fails_alone() {
    if env::var_os(IS_SERVER).is_some() {
        return serve_the_credulous();
    }
    let mut itself = Command::new(env::current_exe().expect("a program"));
    itself.args(["--exact", "what_breaks_the_engine_fails_alone", "--nocapture"]);
    itself.env(IS_SERVER, "1").stdin(Stdio::null());
    let server = Served::of(itself);

    // Twenty tokens are two chunks and a half: the cache holds two when the third breaks the pass.
    let ids: Vec<u32> = (0..20).map(|i| (i * 7919 + 13) % 1500).collect();
    let beyond = BELIEVED as u32 - 1;
    let in_the_prompt: Vec<u32> = ids.iter().copied().chain([beyond]).collect();
    let bias = json!({ beyond.to_string(): 1 });
    let right =
        json!({ "prompt": ids, "max_tokens": 12, "temperature": 0, "ignore_eos": true });
    let flags = ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
    let expected = said(&["--token-ids", &flags, "-n", "12", "--ignore-eos"]);
    let expected = expected["text"].as_str().expect("a text");

    let broken = [
        ("in the prompt", json!({ "prompt": in_the_prompt })),
        ("where a token is chosen", json!({ "prompt": ids, "logit_bias": bias })),
        ("two of three", json!({ "prompt": [ids, in_the_prompt, in_the_prompt] })),
    ];
    let mut failed = 0;
    for (place, body) in broken {
        for stream in [false, true] {
            let mut body = body.clone();
            body["stream"] = stream.into();
            body["max_tokens"] = 3.into();
            let answer = server.post(PATH, &body);
            let text = String::from_utf8_lossy(&answer.body);
            // Once a stream has begun it's too late for a status, and it never says that it's whole.
            let last = text.trim_end().lines().last().unwrap_or_default();
            let last = last.strip_prefix("data: ").unwrap_or(last);
            let error: Value = serde_json::from_str(last).expect("JSON at the end");
            let error = &error["error"];
            assert_eq!(answer.status, if stream { 200 } else { 500 }, "{place}: {text}");
            let message = error["message"].as_str().unwrap_or_default();
            assert!(message.contains("broke the engine"), "{place}: {text}");
            assert_eq!(
                (&error["type"], &error["code"]),
                (&json!("server_error"), &json!("failed"))
            );
            assert_eq!(server.text(&right), expected, "after one that broke {place}");
        }
        failed += 2;
        server.wait_for("counted", |counts| counts["requests_running"] == 0);
        assert!(server.count("requests_failed_total") >= failed, "{place}");
    }
}
