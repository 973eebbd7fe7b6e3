//! Against a server that does what servers do, and some that do not.

use std::collections::HashSet;
use std::io::{Cursor, Read};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use clap::Parser;
use serde_json::{Value, json};

use super::ask::Answer;
use super::count::Percentiles;
use super::*;

#[derive(Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

fn args(words: &str) -> Args {
    Line::parse_from(format!("load {words}").split_whitespace()).args
}

/// A server that does this with every request, each on a thread of its own. It lives as long as the tests.
fn server(answer: impl Fn(&mut TcpStream, &str) + Send + Sync + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let url = format!("http://{}", listener.local_addr().expect("it has an address"));
    let answer = Arc::new(answer);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (answer, mut stream) = (answer.clone(), stream.expect("somebody asks"));
            thread::spawn(move || {
                let request = request(&mut stream);
                answer(&mut stream, &request);
            });
        }
    });
    url
}

/// A request to the end of its body.
fn request(stream: &mut TcpStream) -> String {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|n| n == 1) {
        request.push(byte[0]);
    }
    let head = String::from_utf8(request).expect("plain text");
    let length = head.split("Content-Length: ").nth(1).and_then(|rest| rest.lines().next());
    let mut body = vec![0; length.map_or(0, |length| length.parse().expect("a number"))];
    stream.read_exact(&mut body).expect("all of the body");
    head + &String::from_utf8(body).expect("plain text")
}

/// What was asked, as the body of the request says it.
fn asked(request: &str) -> Value {
    serde_json::from_str(request.split("\r\n\r\n").nth(1).expect("a body")).expect("JSON")
}

const STREAM: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n";

/// The events of an answer with these texts, to a prompt of so many tokens.
fn events(texts: &[&str], prompt_tokens: usize) -> String {
    let event = |text: &&str| format!("data: {}\n\n", json!({ "choices": [{ "text": text }] }));
    let usage = json!({ "choices": [], "usage": {
        "completion_tokens": texts.len(), "prompt_tokens": prompt_tokens,
        "prompt_tokens_details": { "cached_tokens": 3 } } });
    let texts: String = texts.iter().map(event).collect();
    format!("{texts}data: {usage}\n\ndata: [DONE]\n\n")
}

/// The body in chunks of 1, 2, 3, ... bytes, again from 1 after `most`.
fn chunked(body: &[u8], most: usize) -> Vec<u8> {
    let (mut out, mut rest, mut size) = (Vec::new(), body, 1);
    while !rest.is_empty() {
        let (chunk, later) = rest.split_at(size.min(rest.len()));
        out.extend(format!("{:X};name=value\r\n", chunk.len()).bytes());
        out.extend(chunk);
        out.extend(b"\r\n");
        (rest, size) = (later, size % most + 1);
    }
    out.extend(b"0\r\nTrailer: x\r\n\r\n");
    out
}

fn asker(url: &str, limit: u64) -> Asker {
    let server = Server::new(url, Some("s3cret".into())).expect("an address");
    let limit = Duration::from_millis(limit);
    Asker { server, model: "tiny".into(), temperature: None, ignore_eos: true, limit }
}

const PLENTY: u64 = 20_000;

#[test]
fn an_answer_is_put_together_wherever_it_is_cut() {
    let body =
        ": hello\r\n\r\nevent: text\n".to_string() + &events(&["One", " tüv", "", "!"], 7);
    for most in [1, 2, 7, 50, 10_000] {
        let body = body.clone();
        let url = server(move |stream, request| {
            let sent = asked(request);
            assert!(request.starts_with("POST /v1/completions HTTP/1.1\r\n"), "{request}");
            assert!(request.contains("\r\nAuthorization: Bearer s3cret\r\n"), "{request}");
            let wanted = json!({ "model": "tiny", "prompt": "Hi \"you\"", "max_tokens": 4,
                "stream": true, "stream_options": { "include_usage": true }, "ignore_eos": true });
            assert_eq!(sent, wanted);
            let head = format!("{STREAM}transfer-encoding: Chunked\r\n\r\n").into_bytes();
            for part in [head, chunked(body.as_bytes(), most)].concat().chunks(most + 90) {
                stream.write_all(part).expect("somebody reads");
            }
        });
        let answer =
            asker(&url, PLENTY).ask("Hi \"you\"", 4, Instant::now()).expect("an answer");
        // The empty text is no event that anybody sees, but its token counts.
        assert_eq!((answer.gaps_ms.len(), answer.tokens), (2, 4), "{most}");
        assert_eq!((answer.prompt_tokens, answer.cached_tokens), (7, 3));
        assert!(answer.first_token_ms.expect("texts") <= answer.total_ms);
    }
}

#[test]
fn times_are_those_of_the_client() {
    let url = server(|stream, _| {
        let events = events(&["a", "b"], 1);
        // Neither length nor chunks: the body ends where the connection does.
        stream.write_all(format!("{STREAM}\r\n").as_bytes()).expect("somebody reads");
        for event in events.split_inclusive("\n\n") {
            thread::sleep(Duration::from_millis(25));
            stream.write_all(event.as_bytes()).expect("somebody reads");
        }
    });
    let answer = asker(&url, PLENTY).ask("", 2, Instant::now()).expect("an answer");
    let first = answer.first_token_ms.expect("texts");
    assert!(first >= 25.0 && answer.total_ms >= 100.0, "{answer:?}");
    assert!(first + answer.gaps_ms[0] <= answer.total_ms, "{answer:?}");
}

/// What the tool says to a server that sends these bytes, and closes.
fn refused(bytes: Vec<u8>) -> String {
    let url = server(move |stream, _| _ = stream.write_all(&bytes));
    asker(&url, PLENTY).ask("", 2, Instant::now()).expect_err("no answer")
}

#[test]
fn what_is_wrong_is_said_in_one_line() {
    let error = |status: &str, body: &str| {
        let head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\n\r\n", body.len());
        (head + body).into_bytes()
    };
    let stream = |body: &str| format!("{STREAM}\r\n{body}").into_bytes();
    let whole = events(&["a", "b"], 1);
    let json = r#"{"error":{"message":"no \u001b[1mkey","type":"x","param":null,"code":null}}"#;
    let head = format!("{STREAM}Transfer-Encoding: chunked\r\n\r\n");
    let chunks = [head.as_bytes(), &chunked(whole.as_bytes(), 20)].concat();
    let broken =
        "the connection broke off before the answer's end: the server's log may say why";
    for (bytes, wanted) in [
        (error("401 Unauthorized", json), r"status 401 (no \u{1b}[1mkey): --key KEY sends"),
        (error("429 Too Many Requests", "full\nx"), "status 429 (full): it has no room"),
        (error("503 Service Unavailable", ""), "status 503 (nothing said): it is starting"),
        (error("404 Not Found", r#"{"detail":"gone"}"#), "status 404 (gone): is it --model"),
        (error("400 Bad", r#"{"error":"ignore_eos?"}"#), "--no-ignore-eos leaves that out"),
        (
            error("200 OK\r\nContent-Type: text/html", "<p>"),
            "no stream: asked for text/event-s",
        ),
        (b"SSH-2.0-OpenSSH_9.6\r\n".to_vec(), "does not speak HTTP/1: it said \"SSH-2.0-Open"),
        (b"".to_vec(), broken),
        (b"HTTP/1.1 200 OK\r\nContent-".to_vec(), broken),
        (
            b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n".to_vec(),
            "Content-Length is wrong: \"-1\"",
        ),
        (chunks[..chunks.len() - 60].to_vec(), broken),
        ([head.as_bytes(), b"5\r\nda"].concat(), broken),
        ([head.as_bytes(), b"five\r\n"].concat(), "a chunk's size is wrong: \"five\""),
        (error("200 OK\r\nContent-Type: text/event-stream", &whole)[..200].to_vec(), broken),
        (stream(whole.trim_end()), broken),
        (stream(&whole.replace("data: [DONE]\n", "")), "the stream ended without [DONE]: the"),
        (stream(&whole.replace("usage", "abuse")), "no usage in the stream, so tokens cannot"),
        (stream("data: {\"choices\"\n\n"), "an event is not JSON: \"{\"choices\"\""),
        (stream(&format!("data: {json}\n\n")), r"in the middle of the answer: no \u{1b}[1mkey"),
    ] {
        let said = refused(bytes);
        assert!(said.contains(wanted) && !said.contains(['\n', '\x1b']), "{wanted}: {said}");
    }
}

#[test]
fn a_line_has_an_end() {
    let long = vec![b'a'; (1 << 20) + 1];
    let error = http::line_or_end(&mut Cursor::new(long)).unwrap_err();
    assert_eq!(error.to_string(), "a line is wrong: \"too long\"");
}

#[test]
fn nothing_is_waited_for_without_end() {
    let silent = server(|_, _| thread::sleep(Duration::from_secs(60)));
    // It has something to say all the time, but never all of it.
    let endless = server(|stream, _| {
        let _ = stream.write_all(format!("{STREAM}\r\n").as_bytes());
        while stream.write_all(b": still there\n").is_ok() {
            thread::sleep(Duration::from_millis(5));
        }
    });
    for url in [silent, endless] {
        let (start, said) =
            (Instant::now(), asker(&url, 60).ask("", 2, Instant::now()).unwrap_err());
        assert!(said.starts_with("no end of the answer in time: --timeout"), "{said}");
        assert!(start.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn an_address_where_nothing_listens_and_some_that_are_none() {
    let free = TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr());
    let host = free.expect("a port is free").to_string();
    let said = asker(&host, PLENTY).ask("", 2, Instant::now()).unwrap_err();
    assert!(said.starts_with(&format!("nothing listens at {host}: start a server")), "{said}");

    let new = |url| Server::new(url, None).map(|server| server.host);
    for url in ["http://127.0.0.1:80/v1/", "127.0.0.1:80", "http://127.0.0.1/", "127.0.0.1/v1"]
    {
        assert_eq!(new(url).as_deref(), Ok("127.0.0.1:80"));
    }
    assert_eq!(new("http://[::1]").as_deref(), Ok("[::1]:80"));
    for (url, wanted) in [
        ("https://127.0.0.1", "http:// only"),
        ("http://", "expected an address such as"),
        ("http://a b", "expected an address such as"),
        ("http://127.0.0.1/\r\nHost: x", "expected an address such as"),
        ("http://name:secret@127.0.0.1", "expected an address such as"),
        ("http://127.0.0.1:99999", "invalid port value"),
    ] {
        let said = new(url).unwrap_err();
        assert!(said.contains(wanted) && !said.contains('\n'), "{said}");
    }
    assert!(
        Server::new("127.0.0.1", Some("a\r\nb".into())).is_err_and(|why| why.contains("--key"))
    );
}

#[test]
fn percentiles_are_figures_that_were_measured() {
    let of = |figures: &[f64]| Percentiles::new(figures.iter().copied());
    let figures = |p50, p95, p99, max| Some(Percentiles { p50, p95, p99, max });
    assert_eq!(of(&[]), None);
    assert_eq!(of(&[7.0]), figures(7.0, 7.0, 7.0, 7.0));
    // 50 of 100 are the lower two of four; 95 of 100 would be 3.8 of four.
    assert_eq!(of(&[4.0, 1.0, 3.0, 2.0]), figures(2.0, 4.0, 4.0, 4.0));
    let hundred: Vec<f64> = (1..=100).rev().map(f64::from).collect();
    assert_eq!(of(&hundred), figures(50.0, 95.0, 99.0, 100.0));
    // 47.5 and 49.5 of 50 are the 48th and the last; 100.5, 190.95 and 198.99 of 201.
    assert_eq!(of(&hundred[50..]), figures(25.0, 48.0, 50.0, 50.0));
    let more: Vec<f64> = (1..=201).map(f64::from).collect();
    assert_eq!(of(&more), figures(101.0, 191.0, 199.0, 201.0));
}

#[test]
fn prompts_are_of_plain_words_and_no_two_begin_alike() {
    let known: HashSet<&str> = ask::WORDS.into_iter().collect();
    assert_eq!(known.len(), 64);
    let prompts: Vec<String> = (0..300).map(|number| prompt(0, number, 20)).collect();
    let beginning = |text: &String| text.split(' ').take(2).collect::<Vec<_>>().join(" ");
    assert_eq!(prompts.iter().map(beginning).collect::<HashSet<_>>().len(), 300);
    for text in &prompts {
        assert_eq!(text.split(' ').filter(|word| known.contains(word)).count(), 20, "{text}");
    }
    // 70 is 6 and once 64.
    assert!(prompts[70].starts_with("thing year time "), "{}", prompts[70]);
    assert_eq!(prompt(0, 70, 19) + " ", prompts[70][..=prompts[70].rfind(' ').expect("words")]);
    assert_ne!(prompt(1, 70, 20), prompts[70]);
}

/// A server whose words are two tokens each. Of the third level it refuses every other request.
fn whole_server(seen: Arc<Mutex<Vec<String>>>) -> String {
    let working = AtomicUsize::new(0);
    server(move |stream, request| {
        if request.starts_with("GET /v1/models ") {
            let body = r#"{"object":"list","data":[{"id":"tiny & <small>"},{"id":"other"}]}"#;
            let head =
                format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}", body.len());
            return stream.write_all(head.as_bytes()).expect("somebody reads");
        }
        let asked = asked(request);
        assert_eq!(asked["temperature"], 0.5);
        let prompt = asked["prompt"].as_str().expect("a prompt").to_string();
        let tokens = 2 * prompt.split(' ').count();
        let index = {
            let mut seen = seen.lock().expect("no panic");
            seen.push(prompt);
            seen.len() - 1
        };
        let clients = [1, 3, 8][usize::from(index > 2) + usize::from(index > 8)];
        // A client that asked before it had its answer would see the connection break off here.
        assert!(working.fetch_add(1, Ordering::SeqCst) < clients);
        let texts = vec!["word "; asked["max_tokens"].as_u64().expect("a number") as usize];
        let answer = match index > 8 && index % 2 == 1 {
            true => "HTTP/1.1 429 Too Many Requests\r\nContent-Length: 4\r\n\r\nbusy".into(),
            false => format!("{STREAM}\r\n{}", events(&texts, tokens)),
        };
        working.fetch_sub(1, Ordering::SeqCst);
        stream.write_all(answer.as_bytes()).expect("somebody reads");
    })
}

#[test]
fn clients_ask_one_request_after_the_other() {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let url = whole_server(seen.clone());
    let (mut out, mut told) = (Vec::new(), Vec::new());
    let args = args(&format!(
        "{url}/v1 --clients 1,3,8 --prompt 80 --answer 5 --requests 2 --temperature 0.5"
    ));
    let report = measure(&args, &mut out, &mut told).expect("answers");

    // The first one asks how many tokens a word has.
    let seen = seen.lock().expect("no panic");
    let words: Vec<usize> = seen.iter().map(|text| text.split(' ').count()).collect();
    assert_eq!((words[0], words.len()), (32, 1 + 2 * (1 + 3 + 8)));
    assert!(words[1..].iter().all(|words| *words == 40));
    assert_eq!(seen.iter().collect::<HashSet<_>>().len(), seen.len());

    let levels = &report.levels;
    assert_eq!(levels.len(), 3);
    for (level, clients) in levels.iter().zip([1, 3]) {
        assert_eq!((level.failed, level.answers.len()), (0, 2 * clients), "{level:?}");
        assert_eq!(level.tokens as usize, 5 * 2 * clients);
        assert_eq!(level.tokens_per_second, level.tokens as f64 / level.seconds);
    }
    let last = &levels[2];
    assert_eq!((last.failed, last.answers.len()), (8, 8));
    let busy = "status 429 (busy): it has no room for so many clients, take fewer";
    assert_eq!(last.failures.get(busy), Some(&8));
    let (out, told) = (String::from_utf8(out).unwrap(), String::from_utf8(told).unwrap());
    assert_eq!(told, format!("failed, 8 of 16: {busy}\n"));
    let lines: Vec<&str> = out.lines().collect();
    assert!(lines[0].ends_with("tiny & <small>: 2 requests from each client,"), "{out}");
    assert!(
        lines[3..8].iter().all(|line| line.len() == lines[4].len() || line.ends_with("ms"))
    );
    assert!(out.contains("prompts of 80 tokens, answers of 5."), "{out}");

    let json = serde_json::to_value(&report).unwrap();
    assert_eq!((&json["model"], &json["ignore_eos"]), (&json!("tiny & <small>"), &json!(true)));
    assert_eq!((&json["temperature"], &json["levels"][2]["clients"]), (&json!(0.5), &json!(8)));
    assert_eq!(json["levels"][1]["answers"][5]["gaps_ms"].as_array().map(Vec::len), Some(4));
}

#[test]
fn a_number_of_clients_that_all_fail_is_the_last() {
    let count = AtomicUsize::new(0);
    let url = server(move |stream, _| {
        let first = count.fetch_add(1, Ordering::SeqCst) == 0;
        let answer = format!("{STREAM}\r\n{}", events(if first { &["a"] } else { &[] }, 9));
        let cut = if first { answer.len() } else { answer.len() - 15 };
        _ = stream.write_all(&answer.as_bytes()[..cut]);
    });
    let (mut out, mut told) = (Vec::new(), Vec::new());
    let args = args(&format!("{url} --model m --clients 2,3 --requests 2 --json"));
    let report = measure(&args, &mut out, &mut told).expect("a report");
    assert_eq!((report.levels.len(), report.levels[0].failed), (1, 4));
    assert!(out.is_empty());
    assert_eq!(String::from_utf8(told).unwrap().lines().count(), 1);
}

#[test]
fn at_a_rate_requests_begin_when_they_are_due() {
    let (lane, queued) = (Mutex::new(()), Arc::new(AtomicUsize::new(0)));
    let seen = queued.clone();
    let url = server(move |stream, _| {
        seen.fetch_add(usize::from(lane.try_lock().is_err()), Ordering::SeqCst);
        let _turn = lane.lock().expect("no panic");
        thread::sleep(Duration::from_millis(10));
        let answer = format!("{STREAM}\r\n{}", events(&["a", "b"], 40));
        stream.write_all(answer.as_bytes()).expect("somebody reads");
    });
    let args = args(&format!("{url} --model m --rate 1000,50 --requests 10 --target-first 50"));
    let (mut out, mut told) = (Vec::new(), Vec::new());
    let report = measure(&args, &mut out, &mut told).expect("answers");
    let (level, out) = (&report.levels[0], String::from_utf8(out).unwrap());
    assert!(out.contains("failed  good/s\n   1000 "), "{out}");
    assert!(queued.load(Ordering::SeqCst) > 0, "each waited for the one before");
    // All were due within 10 ms, and the server needs 10 for each.
    let firsts = || level.answers.iter().filter_map(|answer| answer.first_token_ms);
    assert!(firsts().any(|ms| ms >= 90.0), "{level:?}");
    let good = firsts().filter(|ms| *ms <= 50.0).count();
    assert_eq!(level.request_goodput, Some(good as f64 / level.seconds));
    assert!(report.levels[1].seconds >= 0.2, "{report:?}");

    // Coordinated omission: what could be sent only a second after its time has waited for that second, too.
    let start = Instant::now() - Duration::from_secs(1);
    let level = ask_all(&args, &asker(&url, PLENTY), Pace::Rate(1000.0), 2, 1, start);
    let level = level.expect("threads");
    assert_eq!(level.answers.len(), 10);
    assert!(level.answers.iter().all(|answer| answer.first_token_ms >= Some(990.0)));
}

#[test]
fn moments_at_a_rate_are_as_random_as_calls() {
    let at = moments(7, 4000, 50.0);
    assert_eq!(
        (at.len(), at[3999], &at),
        (4000, Duration::from_secs(80), &moments(7, 4000, 50.0))
    );
    assert_ne!(at, moments(8, 4000, 50.0));
    // Of a Poisson process' gaps, 1 / e are longer than the average.
    let longer = at.windows(2).filter(|pair| pair[1] - pair[0] > Duration::from_millis(20));
    assert!((1400..1550).contains(&longer.count()));
}

#[test]
fn a_good_answer_keeps_to_every_target() {
    let good = |words: &str| {
        let answer = |first_token_ms, gaps: &[f64], tokens| {
            let (gaps_ms, total_ms, prompt_tokens, cached_tokens) = (gaps.to_vec(), 0.0, 1, 0);
            Ok(Answer {
                first_token_ms,
                gaps_ms,
                total_ms,
                tokens,
                prompt_tokens,
                cached_tokens,
            })
        };
        // Of the first, one gap is too long, but three tokens came in 150 ms.
        let (edge, single) =
            (answer(Some(100.0), &[140.0, 10.0], 4), answer(Some(100.0), &[], 1));
        let (late, silent) = (answer(Some(100.5), &[9.0], 2), answer(None, &[], 2));
        let all = vec![edge, single, late, silent, Err("no".into())];
        Level::new(Pace::Rate(1.0), args(words).targets, 2.0, all).request_goodput
    };
    assert_eq!(good("url"), None);
    assert_eq!(good("url --target-first 100"), Some(1.0));
    assert_eq!(good("url --target-gap 50"), Some(2.0));
    assert_eq!(good("url --target-first 100 --target-gap 49.9"), Some(0.5));
}

#[test]
fn what_cannot_be_asked_for_is_refused() {
    for words in ["--rate 1 --clients 2", "--rate 0", "--rate nan", "--temperature 2.1"] {
        let words = format!("load url {words}");
        assert!(Line::try_parse_from(words.split(' ')).is_err(), "{words}");
    }
    assert_eq!((args("url").requests, args("url --rate 1,2").requests), (4, 64));
}
