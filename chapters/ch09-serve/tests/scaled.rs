//! What a client can make large costs what it sends, and stops nobody else.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::json;
use served::{
    CHAT, COMPLETIONS, Client, Served, get, post, post_bytes, program, serve, short, with,
};

const MIB: usize = 1 << 20;

/// A body of almost 4 MiB, most of it in a field that no answer depends on.
fn nested() -> Vec<u8> {
    let lists = "[[],[[]]],".repeat(4 * MIB / 10 - 20);
    let body = format!(r#"{{"prompt":"a","max_tokens":1,"temperature":0,"user":[{lists}0]}}"#);
    post_bytes(COMPLETIONS, "", body.as_bytes())
}

#[test]
fn a_field_that_does_nothing_costs_its_bytes() {
    let server = serve(&[]);
    let before = server.peak_memory();
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let answer = server.client().ask(&nested()).expect("an answer");
                assert_eq!(answer.status, 200, "{answer:?}");
            });
        }
    });
    // Four bodies, each twice while it's read, and what the answers take.
    if let (Some(before), Some(after)) = (before, server.peak_memory()) {
        let more = (after - before) as usize / MIB;
        assert!(more < 100, "four bodies of 4 MiB took {more} MiB");
    }
}

#[test]
fn an_answer_costs_its_bytes() {
    let server = serve(&[]);
    let said = json!([{ "role": "user", "content": "Tell" }]);
    let body = json!({ "messages": said, "max_tokens": 1000, "ignore_eos": true, "logprobs": true, "top_logprobs": 20 });
    server.post(CHAT, &with(&body, "max_tokens", 1));
    let before = server.peak_memory();
    let answer = server.post(CHAT, &body);
    if let (Some(before), Some(after)) = (before, server.peak_memory()) {
        let (more, length) = ((after - before) as usize / MIB, answer.body.len());
        assert!(length > MIB && more < 16, "an answer of {length} bytes took {more} MiB");
    }
}

#[test]
fn bodies_share_a_bound() {
    let server = serve(&[]);
    let body = nested();
    // All but the last bytes, so that each is held.
    let mut clients: Vec<Client> = (0..40).map(|_| server.client()).collect();
    for client in &mut clients {
        client.send(&body[..body.len() - 9]);
    }
    let refused = clients.pop().expect("the last").answer().expect("a refusal");
    assert_eq!((refused.status, refused.error()), (429, "queue_full".into()), "{refused:?}");
    let usual = with(&short("a"), "user", "u".repeat(50_000));
    assert_eq!(server.post(COMPLETIONS, &usual).status, 200, "a body of usual size");
    drop(clients);
    server.wait_for_idle();
    assert_eq!(
        server.client().ask(&body).expect("an answer").status,
        200,
        "there is room again"
    );
}

#[test]
fn a_log_that_nobody_reads_stops_nobody() {
    let mut program = program();
    program.args(["--port", "0", "--threads", "1"]);
    let mut server = Served::with_errors(program, Stdio::piped());
    let path = format!("/{}", "a".repeat(200));
    let mut client = server.client();
    // A line of the log is 100 bytes of it, a pipe holds 64 KiB, and 1,024 lines wait.
    for asked in 0..2_500 {
        let answer = client.ask(&get(&path));
        assert_eq!(answer.expect("an answer").status, 404, "after {asked}");
    }
    assert_eq!(server.post(COMPLETIONS, &short("a")).status, 200);
    #[cfg(unix)]
    {
        let id = server.id().to_string();
        std::process::Command::new("kill").arg(id).status().expect("kill runs");
        assert!(server.ended(Duration::from_secs(20)).is_some(), "SIGTERM ends it");
    }
}

#[test]
fn tokens_of_a_long_text_are_made_beside_the_others() {
    let server = serve(&[]);
    let long = json!({ "content": "and so on ".repeat(2_000) });
    let body = post("/tokenize", &with(&long, "user", vec![json!([]); MIB]));
    thread::scope(|scope| {
        let askers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| server.client().ask(&body).expect("an answer").status))
            .collect();
        let longest = server.longest_wait(|| askers.iter().any(|asker| !asker.is_finished()));
        assert!(longest < Duration::from_millis(500), "/health waited {longest:?}");
        for asker in askers {
            assert!([200, 400].contains(&asker.join().expect("it ends")));
        }
    });
}
