//! A request that breaks the engine while another one is being written: it fails alone, and leaves nothing behind that
//! anybody could find.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use std::{env, thread};

use ch11_prefix_cache::backend::Backend;
use ch11_prefix_cache::block_pool::BlockPool;
use ch11_prefix_cache::cache::KvType;
use ch11_prefix_cache::compute::ComputeContext;
use ch11_prefix_cache::engine;
use ch11_prefix_cache::kernels::BLOCK_SIZE;
use ch11_prefix_cache::prefix_cache::PrefixCache;
use ch11_prefix_cache::queue::Queue;
use ch11_prefix_cache::recorder::system_clock;
use ch11_prefix_cache::serve::{End, Server, serve};
use ch11_prefix_cache::session::Session;
use ground::chat::ChatTemplate;
use ground::request::Options;
use serde_json::json;
use served::{COMPLETIONS, PATIENCE, Served, cached, long, post, post_bytes, said, with};
use tokio::sync::{Semaphore, watch};

/// With this variable the test is the server that it asks.
const IS_SERVER: &str = "CH11_TEST_IS_SERVER";

/// More tokens than the model has: what `validate` lets through then, the engine can't compute.
const BELIEVED: usize = 1 << 20;

/// A server as `run` makes it, but its checks believe in too large a vocabulary.
fn serve_the_credulous(keys: &[&str]) {
    let file = Box::leak(Box::new(ground::embedded::tiny_qwen3().expect("it opens")));
    let open = || {
        let compute = ComputeContext::new(Backend::choose("auto").expect("there is one"), 1);
        let compute = compute.expect("it starts");
        Session::open(file, system_clock(), compute, KvType::F16).expect("it opens")
    };
    let session: &Session = Box::leak(Box::new(open()));
    let mut believes = open();
    believes.model.config.vocab = BELIEVED;
    let positions = session.model.config.context_length;
    let pool = BlockPool::new(&session.model.config, KvType::F16, 2 * positions / BLOCK_SIZE);
    let server: &Server = Box::leak(Box::new(Server {
        session: Box::leak(Box::new(believes)),
        template: ChatTemplate::of(file, &session.tokenizer).expect("it has one"),
        positions,
        options: Options::default(),
        has_seed: true,
        think: false,
        names: vec!["credulous".into()],
        prefix_cache: Mutex::new(PrefixCache::new(&pool, 1)),
        keys: keys.iter().map(|key| key.to_string()).collect(),
        debug_pages: false,
        only_loopback: true,
        fingerprint: String::new(),
        started: 0,
        renderers: Semaphore::new(1),
        queue: Queue::new(8, 16),
        pool,
        busy: Arc::new(()),
        end: watch::Sender::new(End::Far),
    }));
    let engine = thread::spawn(move || {
        engine::work(session, &server.pool, &server.prefix_cache, &server.queue, false)
    });
    serve(server, engine, [127, 0, 0, 1].into(), 0).expect("it serves");
}

fn itself(name: &str) -> Served {
    let mut itself = Command::new(env::current_exe().expect("a program"));
    itself.args(["--exact", name, "--nocapture"]).env(IS_SERVER, "1").stdin(Stdio::null());
    Served::of(itself)
}

/// No request is to blame: the tree has been made for one key, and there are two.
#[test]
fn when_the_engine_itself_breaks_all_are_told_and_the_server_ends() {
    if env::var_os(IS_SERVER).is_some() {
        return serve_the_credulous(&["known", "unknown"]);
    }
    let mut server = itself("when_the_engine_itself_breaks_all_are_told_and_the_server_ends");
    let asks = |key: &str, body: &serde_json::Value| {
        let mut client = server.client();
        let key = format!("Authorization: Bearer {key}\r\n");
        client.send(&post_bytes(COMPLETIONS, &key, body.to_string().as_bytes()));
        client
    };
    let mut stream = asks("known", &long(1500, true));
    assert_eq!(stream.head().expect("a head").0, 200);
    // As long as this body is to come, the server doesn't end, and can be asked how it is.
    let mut slow = server.client();
    slow.send(b"POST /v1/completions HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n");
    slow.send(b"Authorization: Bearer known\r\nContent-Length: 9\r\n\r\n{");
    let failed = asks("unknown", &long(5, false)).answer().expect("an answer");
    assert_eq!((failed.status, failed.error()), (503, "ending".into()), "{failed:?}");
    let (start, mut health) = (Instant::now(), server.get("/health"));
    while health.status == 200 && start.elapsed() < PATIENCE {
        health = server.get("/health"); // the engine takes a moment to fall
    }
    assert_eq!((health.status, health.error()), (503, "ending".into()), "{health:?}");
    assert!(health.json()["error"]["message"] == "the engine has ended", "{health:?}");
    drop(slow);
    let rest: String = std::iter::from_fn(|| stream.line().ok()).collect();
    assert!(rest.contains("\"ending\"") && !rest.contains("[DONE]"), "{rest}");
    assert!(!server.ended(PATIENCE).expect("it ends").success(), "it says that it broke");
}

#[test]
fn what_breaks_the_engine_fails_alone_and_leaves_nothing() {
    if env::var_os(IS_SERVER).is_some() {
        return serve_the_credulous(&[]);
    }
    let server = itself("what_breaks_the_engine_fails_alone_and_leaves_nothing");

    let beside = said(&["Once upon a time", "-n", "400", "--ignore-eos"]);

    let mut writer = server.client();
    writer.send(&post(COMPLETIONS, &long(400, true)));
    writer.head().expect("a head");
    let beyond = BELIEVED as u32 - 1;
    // Nothing of a pass that broke is kept. A prompt that was read to its end is as good as any.
    for (seed, place, kept) in [(13, "in the prompt", 0), (14, "where a token is chosen", 149)]
    {
        // A text of two blocks and a half, and its answer where nobody breaks anything.
        let ids: Vec<u32> = (0..150).map(|i| (i * 7919 + seed) % 1500).collect();
        let right =
            json!({ "prompt": ids, "max_tokens": 12, "temperature": 0, "ignore_eos": true });
        let listed = ids.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
        let expected = said(&["--token-ids", &listed, "-n", "12", "--ignore-eos"]);
        let body = match kept {
            0 => with(&right, "prompt", [&ids[..], &[beyond]].concat()),
            _ => with(&right, "logit_bias", json!({ beyond.to_string(): 1 })),
        };
        let answer = server.post(COMPLETIONS, &body);
        assert_eq!(
            (answer.status, answer.error()),
            (500, "failed".into()),
            "{place}: {answer:?}"
        );
        let answer = server.post(COMPLETIONS, &right).json();
        assert_eq!(cached(&answer), kept, "after {place}");
        assert_eq!(answer["choices"][0]["text"], expected["text"], "after {place}");
    }
    let mut text = String::new();
    loop {
        let line = writer.line().expect("a stream that goes on");
        match line.strip_prefix("data: ").map(str::trim_end) {
            Some("[DONE]") => break,
            Some(chunk) => {
                let chunk: serde_json::Value = serde_json::from_str(chunk).expect("JSON");
                text += chunk["choices"][0]["text"].as_str().expect("no error");
            }
            None => {}
        }
    }
    assert_eq!(text, beside["text"], "whoever was there goes on");
    server.wait_for("idle", |counts| counts["requests_running"] == 0);
    assert_eq!(server.count("requests_failed_total"), 2);
}
