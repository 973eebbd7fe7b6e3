//! Many connections that do nothing, and many requests of every kind and fate. `cargo prove` runs a short form; the long
//! one is `cargo prove crowd`.

#![cfg(unix)]

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use ground::random::SplitMix64;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde_json::{Value, json};
use served::{Client, Served, get, long, post, serve};

const PATH: &str = "/v1/completions";

fn is_long() -> bool {
    std::env::var_os("CROWD").is_some_and(|how| how == "long")
}

/// A socket is an open file, for us and for the server, which has our limit.
fn room_for_sockets() {
    let limit = getrlimit(Resource::Nofile);
    let soft = limit.maximum.map_or(4096, |most| most.min(4096));
    setrlimit(Resource::Nofile, Rlimit { current: Some(soft), ..limit })
        .expect("our own limit");
}

/// What a token takes where so many ask at once.
fn gap(server: &Served, clients: u32) -> Duration {
    const TOKENS: usize = 40;
    let start = Instant::now();
    thread::scope(|scope| {
        for _ in 0..clients {
            scope.spawn(|| {
                assert_eq!(server.post(PATH, &long(TOKENS, true)).chunks().len(), TOKENS)
            });
        }
    });
    start.elapsed() / (clients * TOKENS as u32)
}

#[test]
#[ignore = "cargo prove: a hundred connections; a thousand with CROWD=long"]
fn idle_connections_take_little_memory_and_no_time() {
    room_for_sockets();
    let (idle, working) = if is_long() { (1000, 16) } else { (100, 4) };
    let server = serve(&[]);
    gap(&server, working);
    let before = server.memory();
    // The machine may be busy with other things: the quietest of some rounds, in turn.
    let (mut alone, mut beside) = (Duration::MAX, Duration::MAX);
    for round in 0..4 {
        alone = alone.min(gap(&server, working));
        let idle: Vec<TcpStream> = (0..idle)
            .map(|_| TcpStream::connect(&server.address).expect("there is room"))
            .collect();
        beside = beside.min(gap(&server, working));
        if round == 0
            && let (Some(before), Some(after)) = (before, server.memory())
        {
            let grown = after.saturating_sub(before);
            println!("{} idle connections: {} bytes", idle.len(), grown);
            assert!(grown < 30 << 20, "{} connections take {grown} bytes", idle.len());
        }
    }
    println!("a token: {alone:?}, beside the idle ones {beside:?}");
    let most = alone * 2 + Duration::from_micros(200);
    assert!(beside < most, "{alone:?} alone, {beside:?} beside those who do nothing");
}

/// Silent connections in every place, without the key: whoever has it waits a second or two.
#[test]
#[ignore = "cargo prove: a thousand connections"]
fn strangers_who_say_nothing_keep_nobody_waiting() {
    room_for_sockets();
    let server = serve(&["--api-key", "k"]);
    let connect = |_| TcpStream::connect(&server.address).expect("there is room");
    let silent: Vec<TcpStream> = (0..1030).map(connect).collect();
    let start = Instant::now();
    assert_eq!(server.get("/health").status, 200);
    assert!(start.elapsed() < Duration::from_secs(4), "{:?}", start.elapsed());
    drop(silent);
}

/// A thousand bodies of 4 MiB, each as far as it's taken: a hundred would stay below the bound by themselves.
#[test]
#[ignore = "cargo prove: a thousand connections"]
fn bodies_of_many_take_no_more_than_their_bound() {
    room_for_sockets();
    let server = serve(&[]);
    let body = post(PATH, &json!({ "prompt": "a", "user": "u".repeat((4 << 20) - 100) }));
    let connect = |_| (TcpStream::connect(&server.address).expect("there is room"), 0);
    let mut clients: Vec<_> = (0..1000).map(connect).collect();
    let start = Instant::now();
    let is_early = || start.elapsed() < Duration::from_secs(5);
    let longest = thread::scope(|scope| {
        let asks = scope.spawn(|| server.longest_wait(is_early));
        while is_early() {
            for (stream, sent) in &mut clients {
                stream.set_nonblocking(true).expect("a socket");
                let rest = &body[*sent..body.len() - 1];
                *sent += stream.write(&rest[..rest.len().min(1 << 18)]).unwrap_or_default();
            }
        }
        asks.join().expect("it's answered")
    });
    let most = if cfg!(debug_assertions) { 1500 } else { 500 }; // reads half as fast
    assert!(longest < Duration::from_millis(most), "/health waited {longest:?}");
    if let Some(peak) = server.peak_memory() {
        assert!(peak < 1 << 30, "{} MiB", peak >> 20);
    }
}

/// What became of a request, as its client has seen it.
#[derive(Default)]
struct Seen {
    answered: u64, // prompts, not requests
    refused: u64,
    asked: u64, // at most so many were accepted
}

fn body(random: &mut SplitMix64) -> (Value, u64) {
    let prompts = 1 + random.below(3) as u64;
    let words = ["a", "Once upon a time", "The little lantern, which nobody had seen"];
    let prompt: Vec<&str> = (0..prompts).map(|_| words[random.below(words.len())]).collect();
    let temperature = random.below(3) as f64 / 2.0;
    let body = json!({
        "prompt": prompt, "max_tokens": 1 + random.below(6), "temperature": temperature,
        "stream": random.below(2) == 0,
    });
    (body, prompts)
}

/// One request, and one of the things that can happen to it.
fn happens(random: &mut SplitMix64, server: &Served, client: &mut Client, seen: &mut Seen) {
    let (body, prompts) = body(random);
    let bytes = post(PATH, &body);
    match random.below(10) {
        0 => {
            // Refused, and the connection lives.
            let mut broken = body;
            let (name, value) = [
                ("max_tokens", json!(0)),
                ("temperature", json!("hot")),
                ("tools", json!([1])),
                ("prompt", json!([])),
                ("prompt", json!([[9_999_999]])),
                ("model", json!("another")),
            ][random.below(6)]
            .clone();
            broken[name] = value;
            let answer = client.ask(&post(PATH, &broken)).expect("an answer");
            match answer.status {
                400 | 404 => {}
                // A full queue is seen before the body is.
                429 => {
                    seen.asked += 1;
                    seen.refused += 1;
                }
                _ => panic!("{broken}: {answer:?}"),
            }
        }
        1 => {
            // Not even a whole request.
            let part = random.below(bytes.len());
            *client = server.client();
            client.send(&bytes[..part]);
            *client = server.client();
        }
        2 | 3 => {
            // Leaves at any moment.
            client.send(&bytes);
            thread::sleep(Duration::from_micros(random.below(20_000) as u64));
            seen.asked += prompts;
            *client = server.client();
        }
        4 => {
            // Leaves in the middle of what it reads.
            let mut body = body;
            body["stream"] = true.into();
            client.send(&post(PATH, &body));
            seen.asked += prompts;
            if client.head().expect("a head").0 == 200 {
                for _ in 0..random.below(8) {
                    client.line().expect("a line: no stream has fewer");
                }
            }
            *client = server.client();
        }
        5 => {
            let answer = client.ask(&get("/health")).expect("an answer");
            assert_eq!(answer.status, 200);
        }
        _ => {
            let answer = client.ask(&bytes).expect("an answer");
            seen.asked += prompts;
            match answer.status {
                200 => {
                    seen.answered += prompts;
                    let choices = match body["stream"] == true {
                        true => answer.chunks(),
                        false => answer.json()["choices"].as_array().expect("choices").clone(),
                    };
                    assert!(choices.len() as u64 >= prompts, "{body}: {answer:?}");
                }
                429 => seen.refused += 1, // at least: unread, it's one
                _ => panic!("{body}: {answer:?}"),
            }
        }
    }
}

#[test]
#[ignore = "cargo prove: three hundred requests; ten thousand with CROWD=long"]
fn every_request_ends_and_all_are_counted() {
    room_for_sockets();
    let (requests, clients) = if is_long() { (10_000, 24) } else { (320, 12) };
    let server = serve(&["--queue", "16"]);
    let mut all = Seen::default();
    let mut memory = Vec::new();
    // In four parts: what grows shows in the last ones, too.
    for part in 0..4 {
        let parts: Vec<Seen> = thread::scope(|scope| {
            let each = requests / 4 / clients;
            let server = &server;
            let work = |client: usize| {
                move || {
                    let mut random = SplitMix64::new((part * 100 + client) as u64);
                    let (mut connection, mut seen) = (server.client(), Seen::default());
                    for _ in 0..each {
                        happens(&mut random, server, &mut connection, &mut seen);
                    }
                    seen
                }
            };
            let all: Vec<_> = (0..clients).map(|client| scope.spawn(work(client))).collect();
            all.into_iter().map(|client| client.join().expect("its requests end")).collect()
        });
        for seen in parts {
            all.answered += seen.answered;
            all.refused += seen.refused;
            all.asked += seen.asked;
        }
        server.wait_for("idle", |c| c["requests_running"] + c["requests_waiting"] == 0);
        memory.extend(server.memory());
        let c = server.counts();
        let count = |name: &str| c[&format!("requests_{name}_total")];
        println!("{c:?}, {memory:?}");
        assert_eq!(
            count("accepted"),
            count("answered") + count("left") + count("failed"),
            "{c:?}"
        );
        assert_eq!(count("failed"), 0, "{c:?}");
        assert!(count("answered") >= all.answered && count("refused") >= all.refused, "{c:?}");
        assert!(
            count("accepted") + count("refused") <= all.asked,
            "{c:?}, asked: {}",
            all.asked
        );
        assert!(count("left") > 0 && all.answered > 0, "{c:?}");
    }
    if let [_, early, .., late] = memory[..] {
        assert!(late < early + (2 << 20), "{memory:?}");
    }
}
