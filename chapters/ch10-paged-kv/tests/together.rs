//! Answers that are written at the same time, through the port: each is what its client would get alone, and blocks are
//! there as long as somebody needs them.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::thread;

use ground::random::SplitMix64;
use serde_json::{Value, json};
use served::{
    CHAT, COMPLETIONS as PATH, Served, body, ids, joined, post, said, says, serve, short,
    whole, with, with_blocks,
};

fn answered(server: &Served, path: &str, body: &Value) -> Value {
    says(server.ask(path, body))
}

/// Every answer that was accepted has ended, and in these ways.
fn assert_ended(server: &Served, answered: u64, left: u64, failed: u64) {
    server.wait_for_idle();
    let counts = server.counts();
    let count = |name: &str| counts[&format!("requests_{name}_total")];
    assert_eq!(
        (count("answered"), count("left"), count("failed")),
        (answered, left, failed),
        "{counts:?}"
    );
    assert_eq!(count("accepted"), answered + left + failed, "{counts:?}");
}

#[test]
fn n_answers_are_those_of_lone_requests_with_the_next_seeds() {
    let server = serve(&[]);
    let user = json!([{ "role": "user", "content": "Tell me a story." }]);
    let settings = json!({ "temperature": 1, "seed": 5, "max_tokens": 12 });
    let mut answers = 0;
    for (path, name, prompt) in [
        (PATH, "prompt", json!("Once upon a time")),
        (PATH, "prompt", json!(ids(130, 1))),
        (CHAT, "messages", user),
    ] {
        let body = with(&settings, name, prompt);
        let lone: Vec<Value> =
            (5..8).map(|seed| answered(&server, path, &with(&body, "seed", seed))).collect();
        let expected: Vec<_> = lone.iter().map(|answer| whole(answer).remove(0)).collect();
        assert!(
            expected[0] != expected[1] && expected[1] != expected[2],
            "seeds change nothing"
        );
        let three = with(&body, "n", 3);
        let found = answered(&server, path, &three);
        assert_eq!(whole(&found), expected, "{path}");
        let chunks = server.stream(path, &three);
        assert_eq!(joined(&chunks, 3), expected, "{path}, in a stream");
        assert_eq!(chunks.last().expect("chunks")["usage"], found["usage"], "{path}");
        let tokens =
            |answer: &Value, name: &str| answer["usage"][name].as_u64().expect("a count");
        assert_eq!(tokens(&found, "prompt_tokens"), tokens(&lone[0], "prompt_tokens"));
        let sum: u64 = lone.iter().map(|answer| tokens(answer, "completion_tokens")).sum();
        assert_eq!(tokens(&found, "completion_tokens"), sum);
        answers += 9;
    }
    assert_ended(&server, answers, 0, 0);
}

#[test]
fn prompts_times_n_come_prompt_by_prompt() {
    let server = serve(&["--queue", "6"]);
    let prompts = ["Once upon a time", "The little lantern", "a"];
    let settings = json!({ "temperature": 1, "seed": 9, "max_tokens": 7, "n": 2 });
    let lone: Vec<Value> = prompts
        .iter()
        .flat_map(|prompt| [9, 10].map(|seed| (prompt, seed)))
        .map(|(prompt, seed)| {
            let body = with(&with(&settings, "n", 1), "seed", seed);
            answered(&server, PATH, &with(&body, "prompt", *prompt))
        })
        .collect();
    let expected: Vec<_> = lone.iter().map(|answer| whole(answer).remove(0)).collect();
    let body = with(&settings, "prompt", json!(prompts));
    let found = answered(&server, PATH, &body);
    assert_eq!(whole(&found), expected);
    let chunks = server.stream(PATH, &body);
    assert_eq!(joined(&chunks, 6), expected);
    assert_eq!(chunks.last().expect("chunks")["usage"], found["usage"]);
    // Each prompt is counted once, however often it is answered.
    let tokens = |answer: &Value| answer["usage"]["prompt_tokens"].as_u64().expect("a count");
    assert_eq!(tokens(&found), lone.iter().step_by(2).map(tokens).sum::<u64>());
    assert_ended(&server, 18, 0, 0);
    let refused = server.post(PATH, &with(&body, "n", 3));
    assert_eq!((refused.status, refused.error()), (400, "invalid_value".into()), "{refused:?}");
}

#[test]
fn eight_at_once_get_what_each_gets_alone() {
    let mut random = SplitMix64::new(3);
    let bodies: Vec<Value> = (0..8)
        .map(|client| {
            // Some begin alike, up to somewhere in a block.
            let mut prompt = ids(random.below(150), client % 3);
            prompt.extend(ids(1 + random.below(70), client));
            let tokens = 1 + random.below(80);
            json!({
                "prompt": prompt, "max_tokens": tokens, "ignore_eos": true, "seed": client,
                "temperature": random.below(2), "logprobs": 2, "n": 1 + random.below(2),
            })
        })
        .collect();
    let answers: u64 = bodies.iter().map(|body| body["n"].as_u64().expect("a count")).sum();
    // Alone: in a pool that nobody else has ever been in.
    let (alone, server) = (serve(&[]), serve(&[]));
    let expected: Vec<Value> = bodies.iter().map(|body| answered(&alone, PATH, body)).collect();
    for _ in 0..2 {
        thread::scope(|scope| {
            let clients: Vec<_> = bodies
                .iter()
                .map(|body| scope.spawn(|| answered(&server, PATH, body)))
                .collect();
            for (client, expected) in clients.into_iter().zip(&expected) {
                assert_eq!(&client.join().expect("it is answered"), expected);
            }
        });
    }
    assert_ended(&server, 2 * answers, 0, 0);
    let counts = |name: &str| [&alone, &server].map(|server| server.count(name));
    for name in ["prompt_tokens_total", "generated_tokens_total"] {
        let [alone, together] = counts(name);
        assert_eq!(together, 2 * alone, "{name}");
    }
    // More than are written at a time: all have their turn.
    let twenty = json!({ "prompt": vec!["a"; 10], "n": 2, "max_tokens": 3, "temperature": 0 });
    let text = server.text(&short("a"));
    let found = whole(&answered(&server, PATH, &twenty));
    assert!(found.len() == 20 && found.iter().all(|(found, ..)| *found == text), "{found:?}");
}

/// What is computed of one text serves another, up to where they part, and no further.
#[test]
fn a_text_goes_on_from_any_other() {
    let server = serve(&[]);
    let listed =
        |ids: &[usize]| ids.iter().map(|id| id.to_string()).collect::<Vec<_>>().join(",");
    for length in [1, 20, 63, 64, 100] {
        let prompt = ids(length, length);
        let flags = ["-n", "6", "--ignore-eos", "--kv", "contiguous", "--token-ids"];
        let text = |ids: &[usize]| said(&[&flags[..], &[&listed(ids)]].concat());
        let first = text(&prompt);
        let ask = |ids: &[usize]| server.text(&body(ids.to_vec(), 6));
        // Twice the same: the logits of its last token are wanted again.
        for _ in 0..2 {
            assert_eq!(ask(&prompt), first["text"], "{length}");
        }
        // With its whole answer, whose last token has no row, and something more.
        let answer = first["generated_ids"].as_array().expect("ids").iter();
        let mut longer = prompt.clone();
        longer.extend(answer.map(|id| id.as_u64().expect("an id") as usize));
        longer.extend([7, 8, 9]);
        assert_eq!(ask(&longer), text(&longer)["text"], "{length}, and its answer");
        // And it parts from itself in the middle.
        longer[length / 2] = 1;
        assert_eq!(ask(&longer), text(&longer)["text"], "{length}, another in the middle");
    }
}

/// Three answers of four blocks each in a pool of six: what they have in common is there once.
#[test]
fn answers_to_one_prompt_share_its_blocks() {
    let server = with_blocks(6);
    let three = with(&body(ids(200, 2), 40), "n", 3);
    let found = whole(&answered(&server, PATH, &three));
    assert!(found.iter().all(|answer| *answer == found[0]), "{found:?}");
    assert_ended(&server, 3, 0, 0);
    assert_eq!(server.count("blocks_in_use"), 4, "the last text's");
}

#[test]
fn a_full_room_is_an_error_for_one_request_alone() {
    let long = body("Once upon a time", 500);
    let expected = with_blocks(8).text(&long);
    for stream in [false, true] {
        let server = with_blocks(8);
        let mut client = server.client();
        client.send(&post(PATH, &with(&long, "stream", true)));
        let mut text = String::new();
        let mut read = |client: &mut served::Client| {
            let line = client.line().expect("a line");
            let chunk = line.strip_prefix("data: ").map(str::trim_end).unwrap_or_default();
            if let Ok(chunk) = serde_json::from_str::<Value>(chunk) {
                assert!(chunk["error"].is_null(), "{chunk}");
                text += chunk["choices"][0]["text"].as_str().expect("a text");
            }
            (text.len(), chunk == "[DONE]")
        };
        while read(&mut client).0 == 0 {}
        // Its prompt alone would need the whole pool.
        let other = with(&body(ids(460, 1), 5), "stream", stream);
        let refused = server.post(PATH, &other);
        if stream {
            let said = String::from_utf8_lossy(&refused.body);
            assert!(said.contains("\"room_full\"") && !said.contains("[DONE]"), "{refused:?}");
        } else {
            assert_eq!(
                (refused.status, refused.error()),
                (503, "room_full".into()),
                "{refused:?}"
            );
        }
        assert_eq!(server.count("requests_running"), 1, "the other one is still there");
        // Whoever was there goes on to its end, in the blocks that the refused one has given back.
        while !read(&mut client).1 {}
        assert_eq!(text, expected);
        assert_ended(&server, 1, 0, 1);
        assert_eq!(server.count("blocks_in_use"), 8, "the last text's: 503 rows");
        // It gives them up for somebody else.
        assert_eq!(server.post(PATH, &with(&other, "stream", false)).status, 200);
        assert_eq!(server.count("blocks_in_use"), 8);
        server.text(&short("a"));
        assert_eq!(server.count("blocks_in_use"), 1);
        assert_ended(&server, 3, 0, 1);
    }
}

#[test]
fn whoever_leaves_leaves_its_blocks() {
    let server = with_blocks(8);
    let long = body("Once upon a time", 500);
    let expected = server.text(&long);
    for left in [1, 3] {
        server.text(&short("a"));
        let mut client = server.client();
        client.send(&post(PATH, &long));
        server.wait_for("running", |counts| counts["requests_running"] == 1);
        // In the first chunk of its prompt, for which it has taken all blocks but one.
        let mut leaves = server.client();
        leaves.send(&post(PATH, &body(ids(440, 1), 5)));
        server.wait_for("running", |counts| counts["requests_running"] == 2);
        drop(leaves);
        server.wait_for("left", |counts| counts["requests_left_total"] == left);
        let answer = client.answer().expect("an answer");
        assert_eq!(answer.status, 200, "{answer:?}");
        assert_eq!(served::text_of(&answer.json()), expected);
        // In the middle of an answer: whoever ends next is the last.
        let mut leaves = server.client();
        leaves.send(&post(PATH, &with(&body(ids(300, 1), 200), "stream", true)));
        while !leaves.line().expect("a stream").starts_with("data: ") {}
        drop(leaves);
        server.text(&short("a"));
        server.wait_for("idle", |counts| counts["requests_running"] == 0);
        server.text(&short("a"));
        assert_eq!(server.count("blocks_in_use"), 1, "one block for a short text");
    }
}

#[test]
fn what_can_never_fit_is_refused_at_once() {
    let server = with_blocks(2);
    let refused = server.post(PATH, &body(ids(129, 1), 1));
    assert_eq!(
        (refused.status, refused.error()),
        (400, "context_length_exceeded".into()),
        "{refused:?}"
    );
    assert!(refused.json()["error"]["message"].as_str().is_some_and(|why| why.contains("128")));
    assert_eq!(server.count("requests_accepted_total"), 0);
    // What fits is answered as far as there is room: the last token needs none.
    for (prompt, tokens) in [(128, 1), (127, 2), (28, 101)] {
        let answer = answered(&server, PATH, &body(ids(prompt, 1), 1000));
        assert_eq!(answer["usage"]["completion_tokens"], tokens, "{answer}");
        assert_eq!(answer["choices"][0]["finish_reason"], "length");
    }
    assert_ended(&server, 3, 0, 0);
}
