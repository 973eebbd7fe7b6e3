//! A program that serves: what it says at its port is what it says by its command line, and what is no request is refused.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;

use serde_json::{Value, json};

use crate::engine::{Engine, Question, Tried};
use crate::judgement::Judgement;
use crate::time_limit::{PATIENCE, Patient};
use catalog::children;

/// So many of the judge's prompts, the longest of them 64 tokens, and so many tokens after each.
const PROMPTS: usize = 6;
const TOKENS: usize = 8;
const PATH: &str = "POST /v1/completions HTTP/1.1\r\nConnection: close\r\n";
const JSON: &str = "Host: localhost\r\nContent-Type: application/json\r\n";

/// Status, kind of mistake, bytes.
const REFUSED: [(u16, &str, &str, &str); 3] = [
    (400, "a body that is no JSON", JSON, "Content-Length: 2\r\n\r\n{{"),
    (400, "two lengths", JSON, "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"),
    (403, "the host of another", "Host: evil.example\r\n", "Content-Length: 2\r\n\r\n{}"),
];

/// Ends with what is asked of it.
struct Server(Child);

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

pub fn says_the_same(engine: &Engine, judgement: &Judgement) -> Tried {
    let way = engine.ways_here().last().expect("a way");
    let model = Some(judgement.model_file.clone());
    let serves = Question { model: model.clone(), ..Question::default() }.with(&["--port=0"]);
    let mistake = |place: &str, expected: &str, found: &str| {
        engine.mistake(way, &serves, place, expected, found)
    };
    let mut command = Command::new(&engine.program);
    command.args(&serves.flags).args(&way.flags).arg("--model").arg(&judgement.model_file);
    command.env_remove("SERVE_API_KEY").env("RUST_BACKTRACE", "0");
    let command = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    let started = children::join(command).spawn();
    let started =
        started.map_err(|e| mistake("its start", "a program that runs", &e.to_string()))?;
    let mut server = Server(started);
    let address = address(&mut server.0);
    let first = &format!("a line with http://ADDRESS:PORT/ within {} s", PATIENCE.as_secs());
    let address = address.ok_or_else(|| mistake("the first line", first, "none"))?;
    let answer = |place: &str, head: &str, rest: &str| {
        let failed = |error: io::Error| mistake(place, "an answer", &error.to_string());
        asked(&address, &format!("{PATH}{head}{rest}")).map_err(failed)
    };
    let cases = judgement.cases.iter().filter(|case| case.prompt_ids.len() < 100);
    let cases: Vec<_> = cases.take(PROMPTS).collect();
    // The last one again: what a server has kept of it changes nothing.
    for case in cases.iter().chain(cases.last()) {
        let question = Question::greedy(&judgement.model_file, &case.prompt_ids, TOKENS, 0);
        let expected = engine.ask(way, &question)?;
        let body = json!({
            "prompt": case.prompt_ids, "max_tokens": TOKENS, "temperature": 0, "ignore_eos": true,
        });
        let body = body.to_string();
        let length = format!("Content-Length: {}\r\n\r\n{body}", body.len());
        let place = format!("POST /v1/completions, prompt {:?}", case.name);
        let (_, found) = answer(&place, JSON, &length)?;
        let text = &found["choices"][0]["text"];
        if *text != expected.text {
            let wanted = format!("{:?}, as with {}", expected.text, question.flags[0]);
            let found = if text.is_string() { text } else { &found };
            return Err(mistake(&place, &wanted, &found.to_string()));
        }
    }
    for (status, what, head, rest) in REFUSED {
        let found = answer(what, head, rest)?.0;
        if found != status {
            return Err(mistake(what, &status.to_string(), &found.to_string()));
        }
    }
    Ok(())
}

/// Where it listens: a program that says nothing is not waited for.
fn address(server: &mut Child) -> Option<String> {
    let mut out = BufReader::new(server.stdout.take()?);
    let (said, hears) = mpsc::channel();
    thread::spawn(move || {
        let mut line = String::new();
        let _ = out.read_line(&mut line);
        let _ = said.send(line);
        // It may say more, and must not wait for a reader.
        let _ = io::copy(&mut out, &mut io::sink());
    });
    let line = hears.recv_timeout(PATIENCE).ok()?;
    Some(line.split_once("http://")?.1.split('/').next()?.trim().to_string())
}

/// The status, and the JSON if there is some.
fn asked(address: &str, request: &str) -> io::Result<(u16, Value)> {
    let mut stream = Patient::new(TcpStream::connect(address)?)?;
    // A few tokens take no longer, and nothing else of the chapter is asked before it has them.
    stream.0.set_read_timeout(Some(PATIENCE * 2 / 3))?;
    stream.0.write_all(request.as_bytes())?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer)?;
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
    let body = answer.find('{').and_then(|at| serde_json::from_str(&answer[at..]).ok());
    Ok((status.ok_or(io::ErrorKind::InvalidData)?, body.unwrap_or_default()))
}
