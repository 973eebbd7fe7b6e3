//! A file of lines in place of clients: as many lines come out, in order, each what the server answers to it.

#[path = "../../../tests/shared/served.rs"]
mod served;

use std::fmt::Write as _;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Output, Stdio};
use std::thread;

use serde_json::{Value, json};
use served::{CHAT, COMPLETIONS as PATH, program, says, serve, with};

/// The bytes of a line.
const LINE: usize = 4 << 20;

fn start(file: &str) -> Child {
    let mut program = program();
    program.args(["--threads", "1", "--batch", file]).stdin(Stdio::piped());
    program.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// What it makes of these lines.
fn lines(input: &[u8]) -> Output {
    let mut child = start("-");
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.to_vec();
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = child.wait_with_output().expect("it ends");
    writer.join().expect("no panic").expect("all is read");
    output
}

fn objects(output: &Output) -> Vec<Value> {
    let text = std::str::from_utf8(&output.stdout).expect("text");
    text.lines()
        .map(|line| serde_json::from_str(line).expect("each line is an object"))
        .collect()
}

fn without_new(mut answer: Value) -> Value {
    answer["line"].take();
    says(answer)
}

fn short(prompt: impl Into<Value>) -> Value {
    json!({ "prompt": prompt.into(), "max_tokens": 3, "temperature": 0, "ignore_eos": true })
}

fn assert_ended(output: &Output, status: i32, words: &str) {
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    assert!(said.contains(words), "{said}");
}

#[test]
fn each_line_is_what_the_server_answers_in_their_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("lines.jsonl");
    // The first takes longest, so that the others would overtake it.
    let mut all = vec![(PATH, with(&short("Once upon a time"), "max_tokens", 300))];
    for seed in 0..70 {
        let body = with(&with(&short("The little lantern"), "seed", seed), "temperature", 1);
        all.push((PATH, with(&body, "n", 1 + seed % 2)));
    }
    let user = json!([{ "role": "user", "content": "Who are you?" }]);
    all.push((CHAT, json!({ "messages": user, "max_tokens": 9, "temperature": 0 })));
    all.push((PATH, with(&short(json!(["a", "b c"])), "logprobs", 2)));
    all.push((PATH, with(&short("a"), "max_tokens", 0))); // refused, by both
    let mut text = String::new();
    for (_, body) in &all {
        writeln!(text, "{body}").expect("it is a string");
    }
    fs::write(&file, text.trim_end()).expect("it is written"); // the last line has no end
    let output = start(file.to_str().expect("a path")).wait_with_output().expect("it ends");
    assert_ended(&output, 1, "1 of 74 lines have an error in their place");
    let found = objects(&output);
    assert_eq!(found.len(), all.len());
    let server = serve(&[]);
    for (index, ((path, body), found)) in all.into_iter().zip(found).enumerate() {
        assert_eq!(found["line"], index + 1, "{found}");
        let expected = server.post(path, &body).json();
        assert_eq!(without_new(found), without_new(expected), "line {}: {body}", index + 1);
    }
}

#[test]
fn a_bad_line_has_an_error_in_its_place() {
    let good = short("a").to_string();
    let long = |bytes: usize| format!("{good}{}", " ".repeat(bytes - good.len()));
    let all: Vec<(Vec<u8>, Option<&str>)> = vec![
        (good.clone().into(), None),
        ("".into(), Some("blank")),
        (" \t\r".into(), Some("blank")),
        ("{\"prompt\": \"a\"".into(), Some("invalid_json")),
        (b"{\"prompt\": \"\xff\xfe\"}".to_vec(), Some("invalid_json")),
        (format!("{good}\r").into(), None),
        ("[1, 2]".into(), Some("")),
        (with(&short("a"), "stream", true).to_string().into(), Some("invalid_value")),
        (with(&short("a"), "wings", 2).to_string().into(), Some("unknown_parameter")),
        (with(&short("a"), "model", "another").to_string().into(), Some("model_not_found")),
        (short(vec![1; 3000]).to_string().into(), Some("context_length_exceeded")),
        (long(LINE).into(), None),
        (long(LINE + 1).into(), Some("too_large")),
        (long(2 * LINE).into(), Some("too_large")),
        (good.clone().into(), None),
    ];
    let input = all.iter().flat_map(|(line, _)| [line, &b"\n"[..]].concat());
    let output = lines(&input.collect::<Vec<u8>>());
    assert_ended(&output, 1, "9 of 13 lines have an error in their place");
    let numbered = all.iter().zip(1..).filter(|((_, code), _)| *code != Some("blank"));
    let found = objects(&output);
    let expected = without_new(found[0].clone());
    assert_eq!(found.len(), 13);
    for (found, ((_, code), number)) in found.into_iter().zip(numbered) {
        assert_eq!(found["line"], number, "{found}");
        match code {
            None => assert_eq!(without_new(found), expected, "line {number}"),
            Some("") => assert!(found["error"]["message"].is_string(), "{found}"),
            Some(code) => assert_eq!(found["error"]["code"], *code, "line {number}: {found}"),
        }
    }
}

#[test]
fn an_end_is_told_by_the_status() {
    let output = lines(format!("\n{}\n\n", short("a")).as_bytes());
    assert_ended(&output, 0, "1 lines, 3 new tokens in ");
    for empty in ["", "\n\n  \n"] {
        let output = lines(empty.as_bytes());
        assert_ended(&output, 0, "0 lines, 0 new tokens");
        assert!(output.stdout.is_empty());
    }
    let output = start("no such file").wait_with_output().expect("it ends");
    assert_ended(&output, 1, "no such file");
    assert!(output.stdout.is_empty());
    // A file is no prompt and no port.
    for flags in [&["a prompt"][..], &["--port", "8080"], &["--api-key", "x"], &["--compare"]] {
        let output = program().args(["--batch", "-"]).args(flags).output().expect("it starts");
        assert_ended(&output, 2, "--batch");
    }
}

/// Sends this, and reads one line of what comes.
fn first_answer(child: &mut Child, stdin: &mut ChildStdin, input: &str) -> Value {
    stdin.write_all(input.as_bytes()).expect("it is read");
    let mut answer = String::new();
    let mut out = BufReader::with_capacity(1, child.stdout.as_mut().expect("a pipe"));
    out.read_line(&mut answer).expect("text");
    serde_json::from_str(&answer).expect("an object")
}

#[test]
fn whoever_stops_reading_ends_it_quietly() {
    let mut child = start("-");
    let mut stdin = child.stdin.take().expect("a pipe");
    // It is told before the next line comes.
    for number in 1..3 {
        let answer = first_answer(&mut child, &mut stdin, &format!("{}\n", short("a")));
        assert_eq!(answer["line"], number);
    }
    drop(child.stdout.take());
    // It ends at the next answer, while there are more lines than anybody has asked for.
    let more = format!("{}\n", short("a")).repeat(500);
    let _ = stdin.write_all(more.as_bytes());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(output.stderr.is_empty(), "{output:?}");
    drop(stdin);
}
