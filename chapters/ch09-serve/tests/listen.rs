//! Somebody who listens: whoever asks gets an answer, beside those who say nothing.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::time::{Duration, Instant};

use served::{HOST, get, post, serve};

#[test]
fn whoever_asks_is_answered_beside_somebody_who_says_nothing() {
    let server = serve(&[]);
    let _silent = server.client();
    let (mut client, start) = (server.client(), Instant::now());
    for time in ["first", "second"] {
        let answer = client.ask(&get("/health")).expect(time);
        assert_eq!((answer.status, &answer.body[..]), (200, &br#"{"status":"ok"}"#[..]));
    }
    // Otherwise the silent one was cut off first.
    assert!(start.elapsed() < Duration::from_secs(8), "only after a deadline");
}

#[test]
fn models_are_listed_and_found_by_each_of_their_names() {
    let server = serve(&["--alias", "an other"]);
    for path in ["/v1/models", "/models"] {
        let list = server.get(path).json();
        let ids = list["data"].as_array().expect("a list").iter().map(|model| &model["id"]);
        assert_eq!(ids.collect::<Vec<_>>(), ["tiny-qwen3", "an other"], "{path}");
    }
    for (path, id) in
        [("/v1/models/tiny-qwen3", "tiny-qwen3"), ("/models/an%20other", "an other")]
    {
        assert_eq!(server.get(path).json()["id"], id, "{path}");
    }
    let answer = server.get("/v1/models/none");
    assert_eq!((answer.status, answer.error().as_str()), (404, "model_not_found"));
}

#[test]
fn what_is_no_request_of_ours_is_refused() {
    let server = serve(&[]);
    let answer = server.get("/v1/modles");
    assert_eq!((answer.status, answer.error().as_str()), (404, "not_found"), "{answer:?}");
    let answer =
        server.client().ask(&post("/health", &serde_json::json!({}))).expect("an answer");
    assert_eq!((answer.status, answer.error().as_str()), (405, "wrong_method"), "{answer:?}");
    assert!(answer.head.contains("allow: get"), "{answer:?}");
    let wide = format!("GET /health HTTP/1.1\r\n{HOST}X: {}\r\n\r\n", "a".repeat(20_000));
    assert_eq!(server.client().ask(wide.as_bytes()).expect("an answer").status, 431);
    assert_eq!(server.get("/health").status, 200);
}
