//! Clients that leave, at every stage, and a server that is told to end.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use served::{Client, PATIENCE, Served, get, long, post, program, serve, short, with};

const PATH: &str = "/v1/completions";

/// A prompt that takes long to read: a chunk of it at a time.
fn long_prompt() -> Value {
    let ids: Vec<u32> = (0..2000).map(|i| (i * 7919 + 13) % 1500).collect();
    json!({ "prompt": ids, "max_tokens": 3, "temperature": 0 })
}

/// A client that has asked for this.
fn asks(server: &Served, body: &Value) -> Client {
    let mut client = server.client();
    client.send(&post(PATH, body));
    client
}

/// Waits until one answer is being computed and so many wait.
fn wait_for_queue(server: &Served, waiting: u64) {
    server.wait_for("running", |counts| {
        counts["requests_running"] == 1 && counts["requests_waiting"] == waiting
    });
}

#[test]
fn whoever_leaves_is_gone_within_a_step_at_every_stage() {
    let server = serve(&["--prefill-chunk", "8"]);
    let expected = server.text(&short("Once upon a time"));
    let stages = [
        ("before the head, while an answer is computed", long(1500, false)),
        ("in the prompt", long_prompt()),
        ("in a stream", long(1500, true)),
        ("in the prompt, of a stream", {
            let mut body = long_prompt();
            body["stream"] = true.into();
            body
        }),
    ];
    for (left, (stage, body)) in (1..).zip(stages) {
        let before = server.counts();
        let mut client = asks(&server, &body);
        if body["stream"] == true && body["prompt"].is_string() {
            while !client.line().expect("a stream").starts_with("data: ") {}
        }
        wait_for_queue(&server, 0);
        drop(client);
        server.wait_for("at its end", |counts| counts["requests_running"] == 0);
        let counts = server.counts();
        assert_eq!(counts["requests_left_total"], left, "those who have left, {stage}");
        let new = counts["generated_tokens_total"] - before["generated_tokens_total"];
        // A prompt is left within a chunk, an answer within a step: far from its end.
        let most = if body["prompt"].is_string() { 1400 } else { 0 };
        assert!(new <= most, "{stage}: {new} tokens were computed for nobody");
        assert_eq!(server.text(&short("Once upon a time")), expected, "{stage}");
    }
    assert_eq!(server.count("requests_failed_total"), 0);
}

/// hyper has read the byte, and keeps it for later: it doesn't look whether there is more, or an end.
#[test]
fn whoever_leaves_behind_a_byte_is_gone_too() {
    let server = serve(&[]);
    let mut client = asks(&server, &with(&long(1900, false), "prompt", vec!["Once"; 9]));
    client.send(b"x");
    wait_for_queue(&server, 8);
    drop(client);
    server.wait_for_idle();
    let left = server.count("requests_left_total");
    assert!(left > 4, "{left} of nine answers were left");
}

#[test]
fn whoever_leaves_the_queue_is_never_computed() {
    let server = serve(&["--queue", "4"]);
    let holds = asks(&server, &long(1500, false));
    wait_for_queue(&server, 0);
    let mut waiting: Vec<Client> = (0..4).map(|_| asks(&server, &short("a"))).collect();
    wait_for_queue(&server, 4);
    // It is full.
    let refused = server.post(PATH, &short("a"));
    assert_eq!((refused.status, refused.error()), (429, "queue_full".into()));
    assert!(refused.head.contains("retry-after: "), "{refused:?}");
    // Three leave, and there is room for three; a request of many prompts is taken whole or not at all.
    waiting.truncate(1);
    server.wait_for("left", |counts| counts["requests_left_total"] == 3);
    let many = |count: usize| json!({ "prompt": vec!["a"; count], "max_tokens": 1 });
    assert_eq!(server.post(PATH, &many(4)).status, 429);
    let mut three = asks(&server, &many(3));
    wait_for_queue(&server, 4);
    let mut first = waiting.remove(0);
    drop(holds);
    assert_eq!(first.answer().expect("an answer").status, 200);
    let three = three.answer().expect("an answer").json();
    assert_eq!(three["choices"].as_array().map(Vec::len), Some(3), "{three}");
    let counts = server.counts();
    // The one that held the engine and three that waited; of these no token was computed.
    assert_eq!(counts["requests_left_total"], 4);
    assert_eq!(counts["requests_answered_total"], 4);
    assert_eq!(counts["requests_refused_total"], 5);
    assert_eq!(counts["requests_accepted_total"], 8);
}

/// It asks for much, and reads none of it.
#[test]
fn whoever_never_reads_stands_in_nobodys_way() {
    let server = serve(&[]);
    let expected = server.text(&short("The little lantern"));
    let mut all = long(300, true);
    all["logprobs"] = 5.into();
    let mut silent = asks(&server, &all);
    wait_for_queue(&server, 0);
    assert_eq!(server.text(&short("The little lantern")), expected);
    assert_eq!(server.count("requests_answered_total"), 3, "its own was computed to its end");
    assert_eq!(server.count("requests_running"), 0);
    // It is all still there.
    let answer = silent.answer().expect("an answer");
    assert_eq!(answer.chunks().len(), 300);
}

#[test]
fn what_cannot_be_served_is_refused_in_one_line() {
    let server = serve(&[]);
    let port = server.address.rsplit_once(':').expect("a port").1;
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("it is written");
        path.to_str().expect("a plain path").to_string()
    };
    let (empty, two, bytes) =
        (file("empty", b"\n"), file("two", b"a b\n"), file("bytes", b"\xff"));
    for (flags, status, words) in [
        (&["--port", port][..], 1, "--port"),
        (&["--port", "0", "--host", "192.0.2.1", "--open"], 1, "--host"),
        (&["--port", "0", "--host", "somewhere"], 2, "--host"),
        (&["--port", "65536"], 2, "--port"),
        (&["--port", "0", "--api-key-file", "/no/such/file"], 1, "/no/such/file"),
        (&["--port", "0", "--api-key-file", &empty], 1, "the key is empty"),
        (&["--port", "0", "--api-key-file", &two], 1, "spaces"),
        (&["--port", "0", "--api-key-file", &bytes], 1, "bytes"),
        (&["--port", "0", "--api-key", ""], 1, "the key is empty"),
        (&["--port", "0", "--api-key", "a", "--api-key-file", &two], 2, "--api-key"),
        (&["--port", "0", "--host", "0.0.0.0"], 2, "--api-key"),
        (&["--port", "0", "--queue", "0"], 2, "--queue"),
        (&["--port", "0", "-n", "0"], 1, "-n 0"),
        (&["--port", "0", "--temperature", "-1"], 1, "the temperature is -1"),
        (&["--port", "0", "a prompt"], 2, "--port"),
    ] {
        let started = Instant::now();
        let mut command = program();
        let command = command.args(flags).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("it starts");
        while child.try_wait().expect("our child").is_none() && started.elapsed() < PATIENCE {
            thread::sleep(Duration::from_millis(5));
        }
        let _ = child.kill();
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{flags:?}: {said}");
        assert!(output.stdout.is_empty(), "{flags:?}");
        assert!(said.starts_with("error: ") && said.contains(words), "{flags:?}: {said}");
        assert!(status == 2 || said.lines().count() == 1, "{flags:?}: {said}");
    }
    // With a key, or leave, it may be reached from elsewhere; and then any Host will do.
    for more in [["--api-key", "k"].as_slice(), &["--open"]] {
        let server = serve(&[&["--host", "0.0.0.0"], more].concat());
        let mut client = Client::new(
            std::net::TcpStream::connect(server.address.replace("0.0.0.0", "127.0.0.1"))
                .expect("it listens"),
        );
        let bytes = get("/health");
        let text = String::from_utf8(bytes).expect("text").replace("localhost", "here.example");
        assert_eq!(client.ask(text.as_bytes()).expect("an answer").status, 200);
    }
}

#[cfg(unix)]
mod signals {
    use rustix::process::Signal;

    use super::*;

    fn signal_to(server: &Served, signal: Signal) {
        let pid = rustix::process::Pid::from_raw(server.id() as i32).expect("our child");
        rustix::process::kill_process(pid, signal).expect("it runs");
    }

    /// Waits until it says that it ends. It has closed what was idle, so this is another connection,
    /// and one that it accepted just before the signal may be closed before it has asked.
    fn wait_for_end(server: &Served) {
        let start = Instant::now();
        loop {
            match server.client().ask(&get("/health")) {
                Ok(health) if health.status == 503 => {
                    return assert_eq!(health.error(), "ending");
                }
                _ => assert!(start.elapsed() < PATIENCE),
            }
        }
    }

    /// What runs and what waits comes whole; nothing new is accepted; then it ends, and all is well.
    #[test]
    fn what_was_accepted_is_answered_to_its_end() {
        for signal in [Signal::INT, Signal::TERM] {
            let mut server = serve(&[]);
            let body = long(600, true);
            let expected = server.post(PATH, &body).chunks().len();
            let mut idle = server.client();
            assert_eq!(idle.ask(&get("/health")).expect("an answer").status, 200);
            let mut stream = asks(&server, &body);
            wait_for_queue(&server, 0);
            let mut waits = asks(&server, &short("a"));
            wait_for_queue(&server, 1);
            signal_to(&server, signal);
            wait_for_end(&server);
            assert!(idle.is_closed());
            let late = server.post(PATH, &short("a"));
            assert_eq!((late.status, late.error()), (503, "ending".into()));
            let whole = stream.answer().expect("a whole answer").chunks();
            assert_eq!(whole.len(), expected);
            assert_eq!(waits.answer().expect("an answer").status, 200);
            let status = server.ended(PATIENCE).expect("it ends");
            assert_eq!(status.code(), Some(0), "{signal:?}");
        }
    }

    /// What can't be done in time is said to be so, whole or streamed, and a client that doesn't read holds nothing up.
    #[test]
    #[ignore = "cargo prove: half a minute of waiting"]
    fn what_takes_too_long_ends_with_an_error() {
        let mut server = serve(&[]);
        let much = |stream| with(&long(1900, stream), "prompt", vec!["Once"; 16]);
        let _unread = [(); 3].map(|()| asks(&server, &with(&much(true), "logprobs", 5)));
        wait_for_queue(&server, 47);
        let [mut whole, mut stream] = [false, true].map(|it| asks(&server, &long(9, it)));
        for client in [&mut whole, &mut stream] {
            client.waits(Duration::from_secs(60));
        }
        wait_for_queue(&server, 49);
        signal_to(&server, Signal::TERM);
        let (start, whole) = (Instant::now(), whole.answer().expect("an answer"));
        assert_eq!((whole.status, whole.error()), (503, "ending".into()));
        assert!(start.elapsed() < Duration::from_secs(28), "told before the engine ends");
        let text = String::from_utf8(stream.answer().expect("an answer").body).expect("text");
        let last = text.trim_end().lines().last().unwrap_or_default();
        assert!(last.contains(r#""code":"ending""#) && !text.contains("[DONE]"), "{last}");
        assert_eq!(server.ended(PATIENCE).expect("it ends").code(), Some(0));
        assert!(start.elapsed() < Duration::from_secs(32), "{:?}", start.elapsed());
    }

    #[test]
    fn with_nothing_to_do_it_ends_at_once() {
        let mut server = serve(&[]);
        // Whoever is only connected keeps nobody up.
        let mut idle = server.client();
        idle.ask(&get("/health")).expect("an answer");
        let start = Instant::now();
        signal_to(&server, Signal::TERM);
        assert_eq!(server.ended(PATIENCE).expect("it ends").code(), Some(0));
        assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    }

    #[test]
    fn a_second_signal_ends_it_in_the_middle() {
        let mut server = serve(&[]);
        let mut many: Vec<Client> = (0..20).map(|_| asks(&server, &long(1500, true))).collect();
        wait_for_queue(&server, 19);
        signal_to(&server, Signal::INT);
        wait_for_end(&server);
        signal_to(&server, Signal::INT);
        let status = server.ended(Duration::from_secs(5)).expect("it ends at once");
        assert_ne!(status.code(), Some(0), "what ran has not ended");
        assert!(many[19].is_closed() || many[19].line().is_ok());
    }
}
