//! What an operator sees: figures as Prometheus reads them, and a log in which a request is found.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::collections::BTreeMap;
use std::fs;
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use served::{COMPLETIONS, HOST, PATIENCE, Served, long, program, serve};

#[test]
fn figures_have_kinds_and_labels_and_add_up() {
    let server = serve(&[]);
    for stream in [false, true, true] {
        assert_eq!(server.post(COMPLETIONS, &long(5, stream)).status, 200);
    }
    let text = server.metrics();
    let (mut kinds, mut values) = (BTreeMap::new(), BTreeMap::new());
    let mut buckets: BTreeMap<&str, Vec<(f64, u64)>> = BTreeMap::new();
    for line in text.lines() {
        if let Some((name, kind)) = line.strip_prefix("# TYPE ").and_then(|l| l.split_once(' '))
        {
            assert!(kinds.insert(name, kind).is_none(), "{name} twice");
            continue;
        }
        let (series, value) = line.rsplit_once(' ').expect("a value");
        let (name, labels) = series.split_once('{').unwrap_or((series, "}"));
        let labels = labels.strip_suffix('}').expect("an end of the labels");
        let named = labels.starts_with("model_name=\"tiny-qwen3\"");
        assert!(named == name.starts_with("vllm:"), "{line}");
        if let Some(histogram) = name.strip_suffix("_bucket") {
            let bound = labels.split_once("le=\"").and_then(|(_, it)| it.strip_suffix('"'));
            let bound = bound.expect("a bound").parse().expect("a number");
            let count = value.parse().expect("a count");
            buckets.entry(histogram).or_default().push((bound, count));
        }
        let family =
            ["_bucket", "_sum", "_count"].iter().find_map(|end| name.strip_suffix(end));
        let kind = kinds.get(name).or(family.and_then(|name| kinds.get(name)));
        assert!(kind.is_some(), "{line}: of what kind?");
        let value: f64 = value.parse().expect("a number");
        assert!(values.insert(series, value).is_none(), "{series} twice");
    }
    let of = |name: &str| values[format!("vllm:{name}{{model_name=\"tiny-qwen3\"}}").as_str()];
    for (name, count) in [
        ("request_queue_time_seconds", 3),
        ("time_to_first_token_seconds", 3),
        ("inter_token_latency_seconds", 12),
        ("e2e_request_latency_seconds", 3),
    ] {
        let buckets = &buckets[format!("vllm:{name}").as_str()];
        assert!(buckets.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1), "{buckets:?}");
        assert_eq!(buckets.last(), Some(&(f64::INFINITY, count)), "{name}");
        assert_eq!(of(&format!("{name}_count")), count as f64);
        // Up to the bound of the first that isn't empty, and no further than the machine is slow.
        assert!(of(&format!("{name}_sum")) < PATIENCE.as_secs_f64(), "{name}");
    }
    assert_eq!(of("generation_tokens_total"), 15.0);
    assert_eq!(of("prompt_tokens_total"), values["serve_prompt_tokens_total"]);
    assert_eq!((of("num_requests_running"), of("num_requests_waiting")), (0.0, 0.0));
    let length =
        "vllm:request_success_total{model_name=\"tiny-qwen3\",finished_reason=\"length\"}";
    assert_eq!(values[length], 3.0);
}

#[test]
fn a_request_is_found_by_its_id() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    let mut command = program();
    command.args(["--port", "0", "--threads", "1", "--log-format", "json"]);
    let server = Served::with_errors(command, file.reopen().expect("it opens").into());
    let long = "a".repeat(129);
    for (given, path) in [
        ("mine-1", "/health"),
        ("mine-2", "/nowhere"),
        ("", "/health"),
        ("two words", "/"),
        (&long, "/"),
    ] {
        let head = format!("GET {path} HTTP/1.1\r\n{HOST}X-Request-Id: {given}\r\n\r\n");
        let answer = server.client().ask(head.as_bytes()).expect("an answer");
        let id = answer.head.split_once("x-request-id: ").expect("an id").1;
        let id = id.lines().next().expect("a line");
        let is_ours = id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit());
        assert!(if given.starts_with("mine") { id == given } else { is_ours }, "{given}: {id}");
        let start = Instant::now();
        let line = loop {
            let log = fs::read_to_string(&file).expect("text");
            let mut lines = log.lines().map(serde_json::from_str::<Value>);
            match lines.find_map(|line| line.ok().filter(|line| line["request_id"] == id)) {
                Some(line) => break line,
                None => assert!(start.elapsed() < PATIENCE, "{id}: {log}"),
            }
            sleep(Duration::from_millis(5));
        };
        assert_eq!((&line["path"], &line["status"]), (&path.into(), &answer.status.into()));
    }
}
