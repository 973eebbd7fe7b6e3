//! Through the port: what was computed for one client is found for the next, everybody is told how much it was, and the
//! answers are those of a server that has seen nobody yet.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::collections::HashMap;
use std::fs;
use std::sync::Mutex;
use std::thread;

use ch11_prefix_cache::kernels::BLOCK_SIZE;
use ground::random::SplitMix64;
use serde_json::{Value, json};
use served::{
    Answer, CHAT, COMPLETIONS as PATH, Served, body, cached, get, ids, long, post, post_bytes,
    program, says, serve, with, with_blocks,
};

/// What every answer here is made of, so that it is known as tokens.
const SAID: usize = 42;

/// So many tokens after these, and all of them are one token.
fn said(prompt: &[usize], tokens: usize) -> Value {
    with(&body(prompt, tokens), "logit_bias", json!({ SAID.to_string(): 100 }))
}

/// All texts of a stream joined, and its last usage.
fn streamed(server: &Served, path: &str, body: &Value) -> (String, Value) {
    let mut chunks = server.stream(path, body);
    let last = chunks.pop().expect("chunks");
    assert!(chunks.iter().all(|chunk| chunk["usage"].is_null()), "only at the end");
    let texts = chunks.iter().map(|chunk| {
        let choice = &chunk["choices"][0];
        choice["text"].as_str().or(choice["delta"]["content"].as_str()).unwrap_or_default()
    });
    (texts.collect(), last)
}

/// How many tokens of prompts have come, and how many of them were found.
fn prompts(server: &Served) -> [u64; 2] {
    ["prompt_tokens_total", "cached_tokens_total"].map(|name| server.count(name))
}

#[test]
fn whoever_asks_is_told_how_much_was_found() {
    let server = serve(&[]);
    let mut sums = [0, 0];
    let count = |sums: &mut [u64; 2], length: usize, cached: usize| {
        sums[0] += length as u64;
        sums[1] += cached as u64;
    };
    for (seed, length) in [1, 2, 63, 64, 65, 66, 128, 129, 300].into_iter().enumerate() {
        let prompt = ids(length, seed);
        let first = server.ask(PATH, &body(&prompt, 5));
        assert_eq!(cached(&first), 0, "{length}: nobody has asked this");
        // All but the last token, whose logits are wanted.
        let again = server.ask(PATH, &body(&prompt, 5));
        assert_eq!(cached(&again), length - 1, "{length}");
        let (text, last) = streamed(&server, PATH, &body(&prompt, 5));
        assert_eq!(cached(&last), length - 1, "{length}, in a stream");
        assert_eq!(text, served::text_of(&first), "{length}");
        assert_eq!(says(again), says(first), "{length}");
        count(&mut sums, 3 * length, 2 * (length - 1));
        // Another end: as far as it's the same.
        for (which, same) in [length / 2, length - 1].into_iter().enumerate() {
            let other = [&prompt[..same], &ids(9, 70 + 2 * seed + which)].concat();
            let answer = server.ask(PATH, &body(&other, 1));
            assert_eq!(cached(&answer), same, "{same} of {length}");
            count(&mut sums, other.len(), same);
        }
    }
    assert_eq!(prompts(&server), sums, "/metrics");
    // Of several answers to a prompt the first has computed it, and the others have found it.
    let two = json!([ids(70, 20), ids(5, 21)]);
    let three = with(&with(&body([0; 0], 2), "prompt", two), "n", 3);
    assert_eq!(cached(&server.ask(PATH, &three)), 0);
    count(&mut sums, 3 * 75, 2 * (69 + 4));
    assert_eq!(prompts(&server), sums, "/metrics, with n");
    assert_eq!(cached(&server.ask(PATH, &three)), 69 + 4);
    // Nobody is told in a stream without having asked for it.
    let chunks = server.post(PATH, &with(&body(ids(70, 20), 2), "stream", true)).chunks();
    assert!(chunks.iter().all(|chunk| chunk["usage"].is_null()), "{chunks:?}");
}

#[test]
fn a_chat_goes_on_from_its_last_question() {
    let server = serve(&[]);
    let mut messages =
        vec![json!({ "role": "system", "content": "You are a lighthouse. ".repeat(9) })];
    let mut before = 0;
    for question in ["Who are you?", "What do you see?", "And at night?"] {
        messages.push(json!({ "role": "user", "content": question }));
        let body = json!({ "messages": messages, "temperature": 0, "max_tokens": 12 });
        let answer = server.ask(CHAT, &body);
        let found = cached(&answer);
        assert!(
            found >= before,
            "{question}: {found} of {before} tokens that were asked before"
        );
        let (text, last) = streamed(&server, CHAT, &body);
        let content = answer["choices"][0]["message"]["content"].as_str().expect("a text");
        assert_eq!(text, content);
        let length = answer["usage"]["prompt_tokens"].as_u64().expect("a count") as usize;
        assert_eq!(cached(&last), length - 1);
        // Before an answer that is to be written there is an empty thought: four tokens.
        before = length - 4;
        messages.push(json!({ "role": "assistant", "content": content }));
    }
}

/// Question, answer, question: the next one finds all of it but the answer's last token, which was never fed back. Another
/// conversation in between takes nothing away.
#[test]
fn conversations_that_take_turns_find_questions_and_answers() {
    let server = serve(&[]);
    let mut all = [1, 2].map(|seed| (ids(40, seed), 0));
    for turn in 0..5 {
        for (which, (text, known)) in all.iter_mut().enumerate() {
            let answer = server.ask(PATH, &said(text, 33));
            assert_eq!(cached(&answer), *known, "turn {turn} of {which}");
            assert_eq!(answer["usage"]["completion_tokens"], 33);
            text.extend([SAID; 33]);
            *known = text.len() - 1;
            text.extend(ids(10, 30 + turn));
        }
    }
}

/// The rows of a text that is still being written: its prompt and its whole blocks.
#[test]
fn what_somebody_still_writes_is_found() {
    let server = serve(&[]);
    let mut beside = 0;
    // It may have ended before we ask, where others keep the machine busy: then once more.
    for seed in 0..20 {
        let prompt = ids(50, seed);
        let mut writer = server.client();
        writer.send(&post(PATH, &with(&said(&prompt, 400), "stream", true)));
        let read = |writer: &mut served::Client, tokens: usize| {
            for _ in 0..tokens {
                while !writer.line().expect("a stream").starts_with("data: ") {}
            }
        };
        writer.head().expect("a head");
        read(&mut writer, 1);
        let other = [&prompt[..], &ids(9, 50)].concat();
        let answer = server.ask(PATH, &body(&other, 1));
        assert_eq!(cached(&answer), 50, "the prompt, while its answer is written");
        // Each token is a row before the next one comes: after 80 of them two blocks are whole.
        read(&mut writer, 80);
        let longer = [&prompt[..], &[SAID; 78], &ids(9, 51)].concat();
        let answer = server.ask(PATH, &body(&longer, 1));
        assert_eq!(cached(&answer), 128, "its whole blocks");
        beside += usize::from(server.count("requests_running") == 1);
        drop(writer);
        if beside == 2 {
            return;
        }
    }
    panic!("each of them had ended before: nothing was tried");
}

#[test]
fn eight_at_once_compute_one_prompt_once() {
    let server = serve(&[]);
    let prompt = ids(300, 3);
    let bodies: Vec<Value> = (0..8)
        .map(|client| {
            let body = with(&body(&prompt, 5 + client), "seed", client);
            with(&with(&body, "temperature", client % 2), "logprobs", 2)
        })
        .collect();
    // Each of a server that has computed nothing before.
    let expected: Vec<Value> =
        bodies.iter().map(|body| says(serve(&[]).ask(PATH, body))).collect();
    let found: Vec<usize> = thread::scope(|scope| {
        let clients: Vec<_> =
            bodies.iter().map(|body| scope.spawn(|| server.ask(PATH, body))).collect();
        let answers = clients.into_iter().zip(&expected).map(|(client, expected)| {
            let answer = client.join().expect("it is answered");
            let found = cached(&answer);
            assert_eq!(says(answer), *expected);
            found
        });
        answers.collect()
    });
    let computed = found.iter().filter(|found| **found == 0).count();
    assert_eq!(computed, 1, "{found:?}");
    assert!(found.iter().all(|found| [0, 299].contains(found)), "{found:?}");
    assert_eq!(prompts(&server), [8 * 300, 7 * 299]);
}

/// A GET with a key.
fn look(server: &Served, path: &str, key: &str) -> Answer {
    let head = format!("HTTP/1.1\r\nAuthorization: Bearer {key}\r\n");
    let text = String::from_utf8(get(path)).expect("text").replacen("HTTP/1.1\r\n", &head, 1);
    server.client().ask(text.as_bytes()).expect("an answer")
}

fn ask_with(server: &Served, key: &str, body: &Value) -> Answer {
    let header = format!("Authorization: Bearer {key}\r\n");
    let bytes = post_bytes(PATH, &header, body.to_string().as_bytes());
    server.client().ask(&bytes).expect("an answer")
}

#[test]
fn a_key_that_floods_the_server_holds_up_no_other() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys");
    fs::write(&file, "flood\nother\n").expect("it is written");
    let path = file.to_str().expect("a path");
    let server = serve(&["--api-key-file", path, "--max-num-seqs", "2", "--queue", "4"]);
    let body = long(1900, true).to_string();
    let flood = |_| {
        let mut client = server.client();
        let key = "Authorization: Bearer flood\r\n";
        client.send(&post_bytes(PATH, key, body.as_bytes()));
        (client.head().expect("a head").0, client)
    };
    let flood: Vec<_> = (0..8).map(flood).collect();
    let refused = flood.iter().filter(|(status, _)| *status == 429).count();
    assert!(refused >= 2, "two are written and four wait: {refused} of eight are refused");
    for count in 1..=3 {
        let body = json!({ "prompt": "Once upon a time", "max_tokens": 5, "n": 2 });
        let answer = ask_with(&server, "other", &body);
        assert_eq!(answer.status, 200, "its share of the queue is two of four: {answer:?}");
        let counts = String::from_utf8(look(&server, "/metrics", "other").body).expect("text");
        let answered = format!("serve_requests_answered_total {}\n", 2 * count);
        assert!(counts.contains(&answered), "none of the flood has ended: {counts}");
    }
}

#[test]
fn what_one_key_has_asked_is_out_of_the_others_reach() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("keys");
    let path = file.to_str().expect("a path");
    let keys = ["key-1", "key-12", "key-2"];
    fs::write(&file, keys.join("\n") + "\n").expect("it is written");
    let server = serve(&["--api-key-file", path, "--debug-pages"]);
    let text = "The little lantern, which nobody else had seen, told a secret: 271828.";
    let prompt = json!({ "prompt": text, "max_tokens": 3, "temperature": 0 });
    let mut answers = Vec::new();
    for (index, key) in keys.into_iter().enumerate() {
        let drawn = |key: &str| {
            let answer = look(&server, "/v1/cache", key);
            assert_eq!(answer.status, 200, "{answer:?}");
            String::from_utf8(answer.body).expect("text")
        };
        assert_eq!(drawn(key), "", "{key}: nothing of one's own");
        let answer = ask_with(&server, key, &prompt).json();
        assert_eq!(cached(&answer), 0, "{key}: what the others have asked");
        let again = ask_with(&server, key, &prompt).json();
        let length = again["usage"]["prompt_tokens"].as_u64().expect("a count") as usize;
        assert_eq!(cached(&again), length - 1, "{key}: its own");
        answers.push(says(again));
        assert_eq!(answers[0], says(answer), "{key}");
        assert!(drawn(key).contains("The little lantern"), "{}", drawn(key));
        for other in &keys[index + 1..] {
            assert_eq!(drawn(other), "", "{other} sees what {key} has asked");
        }
    }
    for wrong in
        ["", "key-", "key-123", "key-3", "KEY-1", "ey-1", "key-1 ", "key-1\tkey-2", "key"]
    {
        // Blanks around a header's value are none of it.
        let expected = if wrong.trim() == "key-1" { 200 } else { 401 };
        assert_eq!(look(&server, "/v1/cache", wrong).status, expected, "{wrong:?}");
        assert_eq!(ask_with(&server, wrong, &prompt).status, expected, "{wrong:?}");
    }
    assert_eq!(server.get("/v1/cache").status, 401);
    let metrics = look(&server, "/metrics", "key-2");
    let metrics = String::from_utf8(metrics.body).expect("text");
    assert!(metrics.contains("serve_cached_tokens_total"), "{metrics}");
    assert!(!metrics.contains("lantern") && !metrics.contains("key-"), "{metrics}");
    // Who isn't allowed to look at pages finds none, with a key or without.
    let server = serve(&["--api-key-file", path]);
    assert_eq!(ask_with(&server, "key-1", &prompt).status, 200);
    for key in ["key-1", "wrong"] {
        assert_eq!(look(&server, "/v1/cache", key).status, 404, "{key}");
    }
    // Without keys all are one.
    let server = serve(&["--debug-pages"]);
    assert_eq!(cached(&server.ask(PATH, &prompt)), 0);
    let drawn = String::from_utf8(server.get("/v1/cache").body).expect("text");
    assert!(drawn.contains("The little lantern"), "{drawn}");
    // A key that is empty would let in anybody.
    for text in ["", "\n", "key-1\n\nkey-2\n", "key-1\nkey 2\n", "key-1\nschlüssel\n"] {
        fs::write(&file, text).expect("it is written");
        let output = program().args(["--port", "0", "--api-key-file", path]).output();
        let output = output.expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && said.contains("a key is empty"),
            "{text:?}: {said}"
        );
        assert!(!said.contains("key-1"), "it says the keys: {said}");
    }
}

/// Nothing in the tree is ever in the way of somebody who is alone.
#[test]
fn a_lone_request_may_need_the_whole_room() {
    const BLOCKS: usize = 2;
    let all = BLOCKS * BLOCK_SIZE;
    let server = with_blocks(BLOCKS);
    let fresh = serve(&[]);
    let old = |seed| {
        for text in 0..2 {
            server.ask(PATH, &body(ids(70, 40 + 2 * seed + text), 1));
        }
        assert_eq!(server.count("blocks_in_use"), BLOCKS as u64, "full of old texts");
    };
    for (seed, length) in [1, 64, 65, 127, 128].into_iter().enumerate() {
        let prompt = ids(length, seed);
        // The last token of an answer needs no row.
        let body = said(&prompt, all + 1 - length);
        let expected = says(fresh.ask(PATH, &body));
        old(seed);
        let answer = server.ask(PATH, &body);
        assert_eq!(cached(&answer), 0, "{length}: all of it is new");
        assert_eq!(says(answer), expected, "{length}");
        // And once more, with its own prompt and answer in the way.
        let answer = server.ask(PATH, &body);
        assert_eq!(cached(&answer), length - 1, "{length}");
        assert_eq!(says(answer), expected, "{length}");
        // With a part of its prompt.
        old(seed);
        server.ask(PATH, &self::body(&prompt[..length.div_ceil(2)], 1));
        let answer = server.ask(PATH, &body);
        assert_eq!(says(answer), expected, "{length}, half of it found");
    }
    assert_eq!(server.count("requests_failed_total"), 0);
}

/// One of a hundred requests: beginnings of few texts, with one end or another.
fn any_body(random: &mut SplitMix64) -> Value {
    let mut random = SplitMix64::new(random.below(100) as u64);
    let mut prompt = ids(1 + random.below(120), random.below(3));
    prompt.extend(ids(random.below(20), 50 + random.below(3)));
    body(&prompt, 1 + random.below(10))
}

/// Many requests in a pool that is too small for them: all of them end, and what is answered is right.
fn crowd(requests: usize, parts: usize) {
    const CLIENTS: usize = 6;
    let (server, fresh) = (with_blocks(7), serve(&[]));
    let expected: Mutex<HashMap<String, Value>> = Mutex::default();
    let right = |body: &Value| {
        let key = body.to_string();
        let known = expected.lock().expect("nobody panics").get(&key).cloned();
        known.unwrap_or_else(|| {
            let answer = says(fresh.ask(PATH, body));
            expected.lock().expect("nobody panics").insert(key, answer.clone());
            answer
        })
    };
    let mut memory = Vec::new();
    for part in 0..parts {
        let work = |client: usize| {
            let mut random = SplitMix64::new((part * 100 + client) as u64);
            let (mut answered, mut full) = (0, 0);
            for _ in 0..requests / parts / CLIENTS {
                let body = any_body(&mut random);
                if random.below(6) == 0 {
                    // Leaves at any moment.
                    let mut leaves = server.client();
                    leaves.send(&post(PATH, &with(&body, "stream", true)));
                    for _ in 0..random.below(9) {
                        let _ = leaves.line();
                    }
                    continue;
                }
                let answer = server.post(PATH, &body);
                match answer.status {
                    200 => {
                        assert_eq!(says(answer.json()), right(&body), "{body}");
                        answered += 1;
                    }
                    503 => {
                        assert_eq!(answer.error(), "room_full", "{answer:?}");
                        full += 1;
                    }
                    _ => panic!("{body}: {answer:?}"),
                }
                let counts = server.counts();
                assert!(counts["blocks_in_use"] <= counts["blocks"], "{counts:?}");
            }
            (answered, full)
        };
        let work = &work;
        let seen: Vec<(usize, usize)> = thread::scope(|scope| {
            let all: Vec<_> =
                (0..CLIENTS).map(|client| scope.spawn(move || work(client))).collect();
            all.into_iter().map(|client| client.join().expect("its requests end")).collect()
        });
        server.wait_for_idle();
        memory.extend(server.memory());
        let counts = server.counts();
        let (answered, full) =
            seen.iter().fold((0, 0), |(a, f), (answered, full)| (a + answered, f + full));
        println!("{part}: {answered} answered, {full} had no room, {memory:?}, {counts:?}");
        assert!(answered > full, "most have room");
        let count = |name: &str| counts[&format!("requests_{name}_total")];
        let ended = count("answered") + count("left") + count("failed");
        assert_eq!(count("accepted"), ended, "{counts:?}");
        assert!(counts["cached_tokens_total"] > 0, "{counts:?}");
    }
    if let [_, early, .., late] = memory[..] {
        assert!(late < early + (2 << 20), "{memory:?}");
    }
}

#[test]
fn a_small_room_serves_many_requests() {
    crowd(144, 4);
}

#[test]
#[ignore = "cargo prove: two thousand requests; cargo prove day: one for each second of a day"]
fn a_small_room_serves_thousands_of_requests() {
    let is_long = std::env::var_os("CROWD").is_some_and(|how| how == "long");
    if is_long { crowd(86_400, 24) } else { crowd(2_000, 4) }
}
