//! Bytes over a socket, as no client of good will sends them: each gets a status or a closed connection, never silence,
//! and the server answers the next one.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use served::{Answer, HOST, Served, get, post_bytes, serve};

const BODY: &[u8] = br#"{"prompt":"a","max_tokens":1}"#;

/// What must come of some bytes.
#[derive(Clone, Copy)]
enum Then {
    /// These statuses and no more, and then the connection is closed.
    Closed(&'static [u16]),
    /// These statuses, and the connection is good for another request.
    Open(&'static [u16]),
    /// A refusal of ours: its status and its code, all of OpenAI's fields; the connection may live.
    Refused(u16, &'static str),
}
use Then::{Closed, Open, Refused};

fn completion(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "POST /v1/completions HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n{headers}\r\n"
    );
    [head.as_bytes(), body].concat()
}

/// A completion with such a body, of the right length.
fn body(text: &[u8]) -> Vec<u8> {
    post_bytes("/v1/completions", "", text)
}

fn with(headers: &str) -> Vec<u8> {
    post_bytes("/v1/completions", headers, BODY)
}

fn health(headers: &str) -> Vec<u8> {
    format!("GET /health HTTP/1.1\r\n{HOST}{headers}\r\n").into()
}

/// A chunked body: the size as it is written, and what comes after the data.
fn chunked(size: &str, end: &str) -> Vec<u8> {
    let chunk = [size.as_bytes(), b"\r\n", BODY, end.as_bytes()].concat();
    completion("Transfer-Encoding: chunked\r\n", &chunk)
}

/// These bytes in place of those, once.
fn instead(bytes: Vec<u8>, from: &str, to: &str) -> Vec<u8> {
    let text = String::from_utf8(bytes).expect("text");
    assert!(text.contains(from), "{text}");
    text.replacen(from, to, 1).into()
}

fn cases() -> Vec<(&'static str, Vec<u8>, Then)> {
    let size = format!("{:x}", BODY.len());
    let size = size.as_str();
    let end = "\r\n0\r\n\r\n";
    let length = BODY.len();
    let lengths = |lengths: &str| completion(&format!("Content-Length: {lengths}\r\n"), BODY);
    let coded = |coding: &str| {
        let chunk = [size.as_bytes(), b"\r\n", BODY, end.as_bytes()].concat();
        completion(&format!("Transfer-Encoding: {coding}\r\n"), &chunk)
    };
    let two = |coding: &str| [coded(coding), get("/health")].concat();
    let big = vec![b' '; 5 << 20];
    let chunks: Vec<u8> =
        big.chunks(1 << 16).flat_map(|chunk| [b"10000\r\n", chunk, b"\r\n"].concat()).collect();
    let many =
        |count: usize| -> String { (0..count).map(|i| format!("X-{i}: 1\r\n")).collect() };
    let wide = |bytes: usize| format!("X: {}\r\n", "a".repeat(bytes));
    let fields: String = (0..300_000).map(|i| format!("\"a{i}\":0,")).collect();
    let fields = format!("{{{fields}\"prompt\":\"a\"}}").into_bytes();
    let named = |name: &str, value: &str| {
        format!("{{\"prompt\":\"a\",\"{name}\":{value}}}").into_bytes()
    };
    let utf16: Vec<u8> = BODY.iter().flat_map(|&byte| [byte, 0]).collect();
    let (unread, three) =
        ([&health("Content-Length: 3\r\n")[..], b"abc"].concat(), health("").repeat(3));
    let waits = "Expect: 100-continue\r\n";
    let mut all = vec![
        // What is behind it may be read as a second request by somebody on the way: it is never answered.
        ("chunks and a length", two("chunked\r\nContent-Length: 5"), Closed(&[200])),
        ("a length and chunks", two("chunked\r\nContent-Length: 999"), Closed(&[200])),
        ("HTTP/1.0", instead(health(""), "1.1", "1.0"), Closed(&[200])),
        ("HTTP/2", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".into(), Closed(&[])),
        ("another method", instead(health(""), "GET", "DELETE"), Refused(405, "")),
        ("a body where none is read", [&unread[..], &health("")].concat(), Open(&[200, 200])),
        ("three in a row, and a body", [&three[..], &with("")].concat(), Open(&[200; 4])),
        ("it waits to be asked for the body", with(waits), Open(&[100, 200])),
    ];
    let mut add = |then: Then, some: Vec<(&'static str, Vec<u8>)>| {
        all.extend(some.into_iter().map(|(name, bytes)| (name, bytes, then)));
    };
    let fine = vec![
        ("a length", with("")),
        ("chunks", chunked(size, end)),
        ("CHUNKS", coded("CHUNKED")),
        ("a chunk with an extension", chunked(&format!("{size};a=b"), end)),
        ("a trailer", chunked(size, "\r\n0\r\nX: 1\r\n\r\n")),
        ("line ends before it", [b"\r\n\r\n", &health("")[..]].concat()),
        ("a body that says it is not packed", with("Content-Encoding: identity\r\n")),
        ("lone LFs in the head", instead(health(""), "\r\n", "\n")),
        ("HTTP/1.0 that stays", instead(health("Connection: keep-alive\r\n"), "1.1", "1.0")),
        ("no socket of the web", health("Connection: Upgrade\r\nUpgrade: websocket\r\n")),
        ("60 headers", health(&many(60))),
        ("a head of 8 kB", health(&wide(8_000))),
        ("an address as the host", instead(health(""), "localhost", "127.0.0.1:8080")),
        ("a type with a charset", instead(with(""), "/json", "/JSON; charset=utf-8")),
        ("an answer to another page", health("Origin: http://evil.example\r\n")),
    ];
    add(Open(&[200]), fine);
    let unclear = vec![
        ("two lengths", lengths(&format!("{length}\r\nContent-Length: 3"))),
        ("a list of lengths", lengths(&format!("{length}, {length}"))),
        ("a length with a plus", lengths(&format!("+{length}"))),
        ("a length below nothing", lengths("-1")),
        ("a length in hex", lengths("0x1d")),
        ("a length beyond all numbers", lengths("99999999999999999999")),
        ("an unknown coding", two("identity")),
        ("a coding that is not the last", two("chunked, gzip")),
        ("almost the name of a coding", two("xchunked")),
        ("a blank before the colon", two("chunked\r\nTransfer-Encoding : chunked")),
        ("a folded line", lengths(&format!("\r\n {length}"))),
        ("a lone CR", with("X: a\rb\r\n")),
        ("a zero byte", with("X: a\0b\r\n")),
        ("lone LFs between chunks", instead(chunked(size, end), &format!("{size}\r"), size)),
        ("a chunk with a plus", chunked(&format!("+{size}"), end)),
        ("a chunk with a minus", chunked(&format!("-{size}"), end)),
        ("a chunk with 0x", chunked(&format!("0x{size}"), end)),
        ("a chunk beyond all numbers", chunked("fffffffffffffffff", end)),
        ("a chunk that goes on", chunked("3", end)),
        ("HTTP/1.0 with chunks", instead(chunked(size, end), "1.1", "1.0")),
        ("HTTP/3", instead(health(""), "1.1", "3.0")),
        ("no version", b"GET /\r\n\r\n".into()),
        ("TLS", [&b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..], &[7; 200]].concat()),
        ("noise", vec![0xfe; 600]),
        ("colours in a path", instead(health(""), "/health", "/\x1b[31m")),
    ];
    add(Closed(&[400]), unclear);
    let large_heads = vec![
        ("10,000 headers", health(&many(10_000))),
        ("a head of 100 kB", health(&wide(100_000))),
        ("a path of 100 kB", instead(health(""), "health", &"a".repeat(100_000))),
    ];
    add(Closed(&[431]), large_heads);
    let coded = vec![
        ("a coding before the chunks", coded("gzip, chunked")),
        ("the same in two lines", coded("gzip\r\nTransfer-Encoding: chunked")),
        ("chunks in chunks", coded("chunked, chunked")),
        ("the same in two lines", coded("chunked\r\nTransfer-Encoding: chunked")),
    ];
    add(Refused(400, "wrong_coding"), coded);
    let packed = vec![
        ("a packed body", with("Content-Encoding: gzip\r\n")),
        ("twice", with("Content-Encoding: identity\r\nContent-Encoding: br\r\n")),
    ];
    add(Refused(415, "wrong_coding"), packed);
    let large = vec![
        ("5 MiB", body(&big)),
        ("5 MiB in chunks", completion("Transfer-Encoding: chunked\r\n", &chunks)),
        ("5 MiB announced", completion("Content-Length: 5242880\r\n", b"  ")),
    ];
    add(Refused(413, "too_large"), large);
    let nested = [br#"{"prompt":"a","user":"#, &[b'['; 100_000][..]].concat();
    let unreadable: Vec<(&str, Vec<u8>)> = vec![
        ("no body", b"".into()),
        ("null", b"null".into()),
        ("UTF-16", utf16.clone()),
        ("UTF-16 with its mark", [&[0xff, 0xfe][..], &utf16].concat()),
        ("a mark of UTF-8", [b"\xef\xbb\xbf", BODY].concat()),
        ("not UTF-8", b"{\"prompt\":\"\xff\"}".into()),
        ("half a surrogate", br#"{"prompt":"\ud800"}"#.into()),
        ("two values", [BODY, BODY].concat()),
        ("100,000 brackets", vec![b'['; 100_000]),
        ("100,000 brackets in a field", nested),
        ("100,000 objects", br#"{"user":"#.repeat(100_000)),
        ("a field twice", br#"{"prompt":"a","prompt":"b"}"#.into()),
        ("another field twice", br#"{"prompt":"a","user":"b","user":"c"}"#.into()),
        ("a number beyond all", br#"{"prompt":"a","temperature":1e999}"#.into()),
    ];
    let unreadable = unreadable.into_iter().map(|(name, text)| (name, body(&text)));
    add(Refused(400, "invalid_json"), unreadable.collect());
    let unknown = vec![
        ("300,000 fields", body(&fields)),
        ("a field's long name", body(&named(&"a".repeat(9999), "1"))),
        ("an unknown field", body(br#"{"prompt":"a","temprature":1}"#)),
    ];
    add(Refused(400, "unknown_parameter"), unknown);
    let long = body(&named("temperature", &format!("\"{}\"", "a".repeat(9999))));
    add(Refused(400, "invalid_value"), vec![("a long value", long)]);
    let elsewhere = vec![
        ("a host of the web", instead(with(""), "localhost", "evil.example")),
        ("the same with a port", instead(with(""), "localhost", "evil.example:8080")),
        ("a host that begins well", instead(with(""), "localhost", "localhost.evil.example")),
        ("no host", instead(with(""), HOST, "")),
        ("two hosts", instead(with(""), HOST, &format!("{HOST}Host: evil.example\r\n"))),
        ("in the first line", instead(health(""), "/health", "http://evil.example/health")),
        ("a tunnel", instead(health(""), "GET /health", "CONNECT a:80")),
    ];
    add(Refused(403, "wrong_host"), elsewhere);
    let other_types = vec![
        ("another type", instead(with(""), "application/json", "text/plain")),
        ("no type", instead(with(""), "Content-Type: application/json\r\n", "")),
        ("it waits, but in vain", instead(with(waits), "/json", "/xml")),
    ];
    add(Refused(415, "wrong_content_type"), other_types);
    let nowhere = vec![
        ("nothing there", instead(health(""), "/health", "/v1/embeddings")),
        ("a path that climbs", instead(health(""), "/health", "/v1/../../etc/passwd")),
    ];
    add(Refused(404, "not_found"), nowhere);
    all
}

#[test]
fn every_request_gets_an_answer_or_an_end() {
    let server = serve(&[]);
    let mut wrong = Vec::new();
    for (name, bytes, then) in cases() {
        let start = Instant::now();
        let tried = try_it(&server, &bytes, then);
        // Otherwise it was a deadline that has closed it, ten seconds and more later.
        let quick = start.elapsed() < Duration::from_secs(8);
        if let Err(why) = tried.and(quick.then_some(()).ok_or("only after a deadline".into())) {
            wrong.push(format!("{name}: {why}"));
        }
        assert_eq!(server.get("/health").status, 200, "after {name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn try_it(server: &Served, bytes: &[u8], then: Then) -> Result<(), String> {
    let mut client = server.client();
    client.send(bytes);
    let mut answer = || client.answer().map_err(|error| format!("no answer: {error}"));
    match then {
        Closed(statuses) | Open(statuses) => {
            for expected in statuses {
                let found = answer()?;
                has_no_leave_for_pages(&found)?;
                if found.status != *expected {
                    return Err(format!("expected {expected}, found {found:?}"));
                }
            }
            if matches!(then, Closed(_)) {
                return if client.is_closed() { Ok(()) } else { Err("it stays open".into()) };
            }
            let again = client.ask(&get("/health"));
            again.map(drop).map_err(|error| format!("not good for another request: {error}"))
        }
        Refused(status, code) => {
            let found = answer()?;
            has_no_leave_for_pages(&found)?;
            let error = &found.json()["error"];
            let whole = error["message"]
                .as_str()
                .is_some_and(|message| message.lines().count() == 1 && message.len() < 400)
                && error["type"].is_string()
                && error.get("param").is_some()
                && error["code"].is_string();
            if found.status != status || !whole || (!code.is_empty() && error["code"] != code) {
                return Err(format!("expected {status} {code}, found {found:?}"));
            }
            Ok(())
        }
    }
}

/// Whatever comes, it has no header that lets a page from elsewhere read it.
fn has_no_leave_for_pages(answer: &Answer) -> Result<(), String> {
    let it_has = answer.head.contains("access-control");
    if it_has { Err(format!("it lets pages in: {}", answer.head)) } else { Ok(()) }
}

#[test]
fn a_client_that_says_no_more_is_taken_for_one_that_left() {
    let server = serve(&[]);
    for bytes in [with(""), with("")[..40].to_vec()] {
        let mut client = server.client();
        client.send(&bytes);
        client.says_no_more();
        assert!(client.is_closed(), "{}", String::from_utf8_lossy(&bytes));
    }
    let mut client = server.client();
    client.send(&with("")[..with("").len() - 5]);
    client.says_no_more();
    let answer = client.answer().expect("an answer");
    assert_eq!((answer.status, answer.error()), (400, "broken_body".into()));
    assert_eq!(server.get("/health").status, 200);
}

/// A browser asks before it lets a page from elsewhere send JSON. Whatever the status: nothing allows it.
#[test]
fn a_page_from_elsewhere_is_not_let_in() {
    let server = serve(&[]);
    let asks = "Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n";
    for path in ["/health", "/v1/completions", "/v1/chat/completions", "/v1/models", "/metrics"]
    {
        let bytes = instead(instead(health(asks), "/health", path), "GET", "OPTIONS");
        let answer = server.client().ask(&bytes).expect("an answer");
        assert!([200, 204, 405].contains(&answer.status), "{answer:?}");
        has_no_leave_for_pages(&answer).expect(path);
    }
}

#[test]
fn a_head_comes_without_its_body() {
    let server = serve(&[]);
    let mut client = server.client();
    client.send(&instead(health("Connection: close\r\n"), "GET", "HEAD"));
    let (status, head) = client.head().expect("a head");
    assert!(status == 200 && head.contains("content-length: 15"), "{head}");
    assert!(client.is_closed(), "a body came");
}

#[test]
fn without_the_key_there_is_nothing_but_health_and_the_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("key");
    std::fs::write(&file, "secret-7\n").expect("it is written");
    for flags in [["--api-key", "secret-7"], ["--api-key-file", file.to_str().expect("a path")]]
    {
        let server = serve(&flags);
        let status = |path: &str, key: &str| {
            let bytes = match path.starts_with("/v1/comp") {
                true => post_bytes(path, key, BODY),
                false => instead(get(path), HOST, &format!("{HOST}{key}")),
            };
            server.client().ask(&bytes).expect("an answer").status
        };
        for path in ["/v1/models", "/v1/models/tiny-qwen3", "/metrics", "/v1/completions"] {
            for key in [
                "",
                "Authorization: Bearer \r\n",
                "Authorization: Bearer secret-8\r\n",
                "Authorization: Bearer secret-77\r\n",
                "Authorization: Bearer secret-\r\n",
                "Authorization: Bearer SECRET-7\r\n",
                "Authorization: secret-7\r\n",
                "Authorization: Basic secret-7\r\n",
                "X-Api-Key: secret-7\r\n",
            ] {
                assert_eq!(status(path, key), 401, "{path}, {key:?}");
            }
            assert_eq!(status(path, "Authorization: Bearer secret-7\r\n"), 200, "{path}");
        }
        for path in ["/", "/health", "/openapi.json"] {
            assert_eq!(status(path, ""), 200, "{path}");
        }
    }
}

/// `/openapi.json` knows each answer: its status, and the headers that mean something with it.
#[test]
fn the_description_says_how_each_path_answers() {
    let server = serve(&["--api-key", "secret-7"]);
    let description = server.get("/openapi.json").json();
    let named = |it: &Value| {
        let name = it["$ref"].as_str().map(|name| name.trim_start_matches('#'));
        name.map_or(it, |name| description.pointer(name).expect("it is there")).clone()
    };
    let (key, kind) =
        ("Authorization: Bearer secret-7\r\n", "Content-Type: application/json\r\n");
    for (path, operations) in description["paths"].as_object().expect("paths") {
        assert_eq!(named(&operations["parameters"][0])["name"], "x-request-id", "{path}");
        let method = if operations["get"].is_null() { "post" } else { "get" };
        for (asked, headers, name, body) in [
            (method, [HOST, key, kind], "tiny-qwen3", r#"{"prompt":"a","max_tokens":1}"#),
            (method, [HOST, key, kind], "b", r#"{"prompt":"a","model":"b","content":"c"}"#),
            (method, [HOST, key, kind], "b", &" ".repeat(5 << 20)),
            (method, [HOST, key, ""], "b", ""),
            (method, [HOST, "", kind], "b", ""),
            (method, ["Host: evil.example\r\n", key, kind], "b", ""),
            ("put", [HOST, key, kind], "b", ""),
        ] {
            let (asked, path) = (asked.to_uppercase(), path.replace("{model}", name));
            let (headers, length) = (headers.concat(), body.len());
            // Of a body that is too large its length is enough.
            let asked = format!(
                "{asked} {path} HTTP/1.1\r\n{headers}Content-Length: {length}\r\n\r\n{}",
                body.trim()
            );
            let answer = server.client().ask(asked.as_bytes()).expect("an answer");
            let what = format!("{asked}\n{}", answer.head);
            let said = named(&operations[method]["responses"][answer.status.to_string()]);
            let usual = ["content-type", "content-length", "date", "connection"];
            let headers = answer.head.lines().filter_map(|line| line.split_once(": "));
            let ours: Vec<_> = headers.filter(|(name, _)| !usual.contains(name)).collect();
            let is_known = |&(name, value): &(&str, &str)| {
                let schema = named(&said["headers"][name])["schema"].to_string().to_lowercase();
                schema.contains(if schema.contains("enum") { value } else { "type" })
            };
            assert!(ours.iter().all(is_known), "{what}");
            assert_eq!(Some(ours.len()), said["headers"].as_object().map(|all| all.len()));
        }
    }
}

/// The server's deadlines: all at once, because they are long.
#[test]
#[ignore = "cargo prove: half a minute of waiting"]
fn whoever_is_slow_is_cut_off() {
    let server = serve(&[]);
    let begin = health("X: ");
    let part = with("")[..with("").len() - 5].to_vec();
    let cases: [(&str, Vec<u8>, u64, &[u16]); 4] = [
        ("says nothing", Vec::new(), 10, &[]),
        ("has said half a head", begin[..begin.len() - 2].into(), 10, &[]),
        ("is silent after an answer", health(""), 10, &[200]),
        ("has sent half a body", part, 30, &[408]),
    ];
    // A byte now and then is no way to stay longer.
    thread::scope(|scope| {
        for (who, bytes, seconds, statuses) in &cases {
            let server = &server;
            scope.spawn(move || {
                let start = Instant::now();
                let mut client = server.client();
                client.waits(Duration::from_secs(seconds * 2));
                client.send(bytes);
                for status in *statuses {
                    let answer = client.answer().unwrap_or_else(|e| panic!("{who}: {e}"));
                    assert_eq!(answer.status, *status, "{who}");
                }
                assert!(client.is_closed(), "{who}");
                let (took, limit) = (start.elapsed(), Duration::from_secs(*seconds));
                assert!(took > limit / 2 && took < limit * 2, "{who}: {took:?}");
            });
        }
        for (who, first, every, seconds) in [
            ("a head in drops", health("")[..20].to_vec(), &b"X: 1\r\n"[..], 10),
            ("a body in drops", with("")[..with("").len() - 20].to_vec(), b" ", 30),
        ] {
            let server = &server;
            scope.spawn(move || {
                let start = Instant::now();
                let mut client = server.client();
                client.waits(Duration::from_secs(seconds * 2));
                client.send(&first);
                while start.elapsed() < Duration::from_secs(seconds / 4 * 3) {
                    thread::sleep(Duration::from_secs(2));
                    client.send(every);
                }
                let _ = client.answer();
                assert!(client.is_closed(), "{who}");
                assert!(start.elapsed() < Duration::from_secs(seconds * 2), "{who}");
            });
        }
        // It asks and asks, and reads nothing: once the system takes no more for it, it is cut off.
        scope.spawn(|| {
            let start = Instant::now();
            let mut client = server.client();
            let many = get("/").repeat(100);
            while client.sends(&many) {
                assert!(start.elapsed() < Duration::from_secs(120), "it is never cut off");
            }
            let took = start.elapsed();
            assert!(
                took > Duration::from_secs(15) && took < Duration::from_secs(90),
                "{took:?}"
            );
        });
        // Meanwhile everybody else is served.
        for _ in 0..20 {
            let asked = json!({ "prompt": "a", "max_tokens": 1, "temperature": 0 });
            assert_eq!(server.text(&asked), "a");
            thread::sleep(Duration::from_millis(100));
        }
    });
}
