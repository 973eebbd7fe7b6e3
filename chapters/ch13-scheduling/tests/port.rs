//! Through the port: whoever is let in gets the whole answer of a lone client, however small the pool is, and what is shown of
//! it is shown to nobody else.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use ground::random::SplitMix64;
use serde_json::{Value, json};
use served::{CHAT, COMPLETIONS as PATH, Served, long, post, serve, text_of, with};

/// A few requests that begin alike, others that don't, and each of them several times.
fn bodies() -> Vec<Value> {
    let body = |index: usize| {
        let ids: Vec<usize> = (0..20 + 31 * (index % 9))
            .map(|place| (place * 7919 + 13 + (index % 4) * 331) % 1500)
            .collect();
        json!({
            "prompt": ids, "max_tokens": 5 + 17 * (index % 7), "ignore_eos": true,
            "temperature": index % 2, "seed": index,
        })
    };
    (0..40).map(body).collect()
}

fn says(server: &Served, body: &Value) -> String {
    let mut client = server.client();
    client.waits(Duration::from_secs(120)); // whoever is preempted again and again on a busy machine
    let answer = client.ask(&post(PATH, body)).expect("an answer");
    assert_eq!(answer.status, 200, "{body}: {answer:?}");
    text_of(&answer.json()).into()
}

/// Twelve clients in a pool of nine blocks, for so long.
fn in_a_tiny_room(time: Duration) {
    let (server, alone) = (serve(&["--kv-room", "2655kB"]), serve(&[]));
    let bodies = bodies();
    let expected: Vec<String> = bodies.iter().map(|body| says(&alone, body)).collect();
    let (start, asked) = (Instant::now(), AtomicU64::new(0));
    thread::scope(|scope| {
        for client in 0..12 {
            let (server, bodies, expected, asked) = (&server, &bodies, &expected, &asked);
            scope.spawn(move || {
                let mut random = SplitMix64::new(client);
                while start.elapsed() < time {
                    let which = random.below(bodies.len());
                    if random.below(10) == 0 {
                        let mut leaves = server.client();
                        leaves.send(&post(PATH, &with(&bodies[which], "stream", true)));
                        for _ in 0..random.below(40) {
                            let _ = leaves.line();
                        }
                        continue;
                    }
                    assert_eq!(says(server, &bodies[which]), expected[which], "{which}");
                    asked.fetch_add(1, Relaxed);
                }
            });
        }
    });
    let is_empty = |counts: &std::collections::BTreeMap<String, u64>| {
        counts["requests_running"] + counts["requests_waiting"] == 0
    };
    server.wait_for("empty", is_empty);
    let counts = server.counts();
    println!("{counts:?}");
    let ended = counts["requests_answered_total"] + counts["requests_left_total"];
    assert_eq!(counts["requests_accepted_total"], ended, "each has ended");
    assert_eq!(counts["requests_failed_total"], 0);
    assert!(counts["requests_answered_total"] >= asked.into_inner());
    assert!(counts["preempted_total"] > 0, "there was room for all");
    assert!(counts["blocks_in_use"] <= counts["blocks"], "{counts:?}");
}

#[test]
fn in_a_tiny_room_everybody_gets_a_whole_answer() {
    in_a_tiny_room(Duration::from_secs(2));
}

#[test]
#[ignore = "cargo prove: half a minute, or as many seconds as TINY_ROOM says"]
fn in_a_tiny_room_everybody_gets_a_whole_answer_for_long() {
    let seconds = std::env::var("TINY_ROOM").map_or(30, |it| it.parse().expect("a number"));
    in_a_tiny_room(Duration::from_secs(seconds));
}

#[test]
fn who_is_served_is_shown_to_nobody_else() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys");
    std::fs::write(&file, "key-1\nkey-2\n").expect("it is written");
    let path = file.to_str().expect("a path");
    let look = |server: &Served, key: &str| {
        let head = format!(
            "GET /v1/running HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {key}\r\n\r\n"
        );
        server.client().ask(head.as_bytes()).expect("an answer")
    };
    let server = serve(&["--api-key-file", path, "--debug-pages"]);
    let body = long(450, true).to_string();
    let mut client = server.client();
    client.send(&served::post_bytes(PATH, "Authorization: Bearer key-1\r\n", body.as_bytes()));
    let shown = |key| String::from_utf8(look(&server, key).body).expect("text");
    let start = Instant::now();
    while !shown("key-1").contains("writes") {
        assert!(start.elapsed() < Duration::from_secs(10), "{}", shown("key-1"));
    }
    assert!(!shown("key-2").contains("writes"), "{}", shown("key-2"));
    assert_eq!(look(&server, "key-3").status, 401);
    let server = serve(&["--api-key-file", path]);
    assert_eq!(look(&server, "key-1").status, 404, "only with --debug-pages");
}

/// More than all buffers of the system hold: the end waits until it's read.
#[cfg(unix)]
#[test]
#[ignore = "cargo prove: half a minute of writing"]
fn an_answer_of_20_mb_is_written_to_its_end() {
    let mut server = serve(&[]);
    let body = json!({
        "messages": [{ "role": "user", "content": "Tell" }], "n": 8, "max_tokens": 1900,
        "ignore_eos": true, "temperature": 1, "seed": 1, "logprobs": true, "top_logprobs": 20,
    });
    let mut client = server.client();
    client.send(&post(CHAT, &body));
    client.waits(Duration::from_secs(120)); // for its first byte
    let waits = thread::spawn(move || (client.is_closed(), client).1);
    let longest = server.longest_wait(|| !waits.is_finished());
    assert!(longest < Duration::from_millis(500), "/health waited {longest:?}");
    if let Some(peak) = server.peak_memory() {
        assert!(peak < 200 << 20, "{} MiB", peak >> 20);
    }
    let id = server.id().to_string();
    std::process::Command::new("kill").arg(id).status().expect("kill runs");
    thread::sleep(Duration::from_secs(1));
    let answer = waits.join().expect("it waits").answer().expect("a whole answer");
    assert!(answer.status == 200 && answer.body.len() > 20_000_000, "{}", answer.body.len());
    assert_eq!(answer.json()["choices"].as_array().map(Vec::len), Some(8));
    assert_eq!(server.ended(Duration::from_secs(5)).expect("it ends").code(), Some(0));
}
