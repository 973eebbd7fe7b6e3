//! Answers that are written in the same passes, through the port: each has the bytes that its client would get alone.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use ground::random::SplitMix64;
use serde_json::{Value, json};
use served::{CHAT, COMPLETIONS as PATH, Served, body, ids, joined, post, says, serve, with};

fn drawn(body: &Value, seed: u64) -> Value {
    with(&with(body, "temperature", 1), "seed", seed)
}

/// What it says, without its place among others.
fn choices(server: &Served, path: &str, body: &Value) -> Vec<Value> {
    let mut answer = server.ask(path, body);
    let all = answer["choices"].as_array_mut().expect("choices").iter_mut();
    all.enumerate()
        .map(|(index, choice)| {
            assert_eq!(choice["index"].take(), index);
            choice.take()
        })
        .collect()
}

fn text(choice: &Value) -> &str {
    choice["text"].as_str().or(choice["message"]["content"].as_str()).expect("a text")
}

/// What one request asks for comes into the queue at once, so all of this is in the same passes.
#[test]
fn sixteen_answers_are_those_of_lone_requests() {
    let (server, alone) = (serve(&[]), serve(&["--threads", "2"]));
    let prompts: Vec<Vec<usize>> =
        [1, 5, 63, 64, 65, 100, 130, 20].iter().map(|&count| ids(count, count)).collect();
    let users = json!([{ "role": "user", "content": "Tell me a story." }]);
    let chat = json!({
        "messages": users, "max_tokens": 12, "logprobs": true, "top_logprobs": 2, "temperature": 1,
    });
    let greedy = with(&body([0; 0], 12), "logprobs", 2);
    // What is asked for together, and how to ask for each of it.
    let all_prompts = with(&greedy, "prompt", json!(prompts));
    let each = |body: &Value| -> Vec<Value> {
        prompts.iter().map(|prompt| with(body, "prompt", json!(prompt))).collect()
    };
    let twice = each(&drawn(&greedy, 5))
        .into_iter()
        .flat_map(|body| [with(&body, "seed", 5), with(&body, "seed", 6)]);
    let all = [
        (PATH, all_prompts.clone(), each(&greedy)),
        (PATH, with(&drawn(&all_prompts, 5), "n", 2), twice.collect()),
        (
            CHAT,
            with(&with(&chat, "seed", 1), "n", 8),
            (1..9).map(|seed| with(&chat, "seed", seed)).collect(),
        ),
    ];
    for (path, body, lone) in all {
        let expected: Vec<Value> =
            lone.iter().map(|body| choices(&alone, path, body).remove(0)).collect();
        assert!(expected.iter().any(|choice| *choice != expected[0]), "all are equal");
        assert_eq!(choices(&server, path, &body), expected, "{body}");
        let texts: Vec<&str> = expected.iter().map(text).collect();
        let stream = joined(&server.stream(path, &body), lone.len());
        assert!(stream.iter().map(|(text, ..)| text).eq(texts), "{body}, in a stream");
    }
}

/// Others, of every kind: whole and in streams, some of which nobody reads to the end.
fn other(random: &mut SplitMix64, server: &Served) {
    let prompt = ids(1 + random.below(150), random.below(40));
    let body = drawn(&body(&prompt, 1 + random.below(12)), random.below(9) as u64);
    match random.below(4) {
        0 => {
            let mut leaves = server.client();
            leaves.send(&post(PATH, &with(&body, "stream", true)));
            for _ in 0..random.below(30) {
                let _ = leaves.line();
            }
        }
        1 => drop(server.ask(PATH, &with(&body, "n", 1 + random.below(4)))),
        2 => drop(server.stream(PATH, &body)),
        _ => drop(server.ask(PATH, &with(&body, "logprobs", 1))),
    }
}

/// Equal requests among random others: so many greedy ones, and so many with a seed.
fn equal_ones(count: usize) {
    const CLIENTS: usize = 4;
    let (server, alone) = (serve(&[]), serve(&[]));
    let greedy = with(&body(ids(50, 99), 6), "logprobs", 2);
    let kinds = [greedy.clone(), drawn(&greedy, 7)];
    let expected = kinds.each_ref().map(|body| says(alone.ask(PATH, body)));
    assert_ne!(expected[0]["choices"], expected[1]["choices"], "the seed changes nothing");
    let (is_over, most) = (AtomicBool::new(false), AtomicU64::new(0));
    thread::scope(|scope| {
        for client in 0..CLIENTS {
            let (server, is_over, most) = (&server, &is_over, &most);
            scope.spawn(move || {
                let mut random = SplitMix64::new(client as u64);
                while !is_over.load(Relaxed) {
                    other(&mut random, server);
                    most.fetch_max(server.count("requests_running"), Relaxed);
                }
            });
        }
        let askers: Vec<_> = (0..CLIENTS)
            .map(|_| {
                scope.spawn(|| {
                    let mut equal = 0;
                    for _ in 0..count / CLIENTS {
                        for (body, expected) in kinds.iter().zip(&expected) {
                            // The others have to end before this may fail.
                            equal += usize::from(says(server.ask(PATH, body)) == *expected);
                        }
                    }
                    equal
                })
            })
            .collect();
        let equal: Vec<_> = askers.into_iter().map(|asker| asker.join()).collect();
        is_over.store(true, Relaxed);
        let equal: usize =
            equal.into_iter().map(|equal| equal.expect("all are answered")).sum();
        assert_eq!(equal, 2 * count, "equal answers to equal requests");
    });
    let counts = server.counts();
    println!("{count} of each kind, up to {most:?} at a time, {counts:?}");
    assert!(most.into_inner() > 2, "nobody was together with anybody");
    assert!(counts["requests_answered_total"] > 2 * count as u64, "there were no others");
}

#[test]
fn sixty_equal_requests_have_one_answer() {
    equal_ones(60);
}

#[test]
#[ignore = "cargo prove: a thousand greedy requests and a thousand with a seed, among random others"]
fn a_thousand_equal_requests_have_one_answer() {
    equal_ones(1000);
}
