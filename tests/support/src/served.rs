//! A chapter's program as a server, and clients that know no more than sockets. Every read has a deadline.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};

pub use judge::time_limit::PATIENCE;
use judge::time_limit::Patient;

pub const COMPLETIONS: &str = "/v1/completions";
pub const CHAT: &str = "/v1/chat/completions";
pub const HOST: &str = "Host: localhost\r\n";

/// Ends with the test.
pub struct Served {
    child: Child,
    pub address: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn program(path: &str) -> Command {
    let mut command = Command::new(path);
    command.env_remove("SERVE_API_KEY").stdin(Stdio::null());
    command
}

/// What the command line of a program says to these flags.
pub fn said(mut program: Command, flags: &[&str]) -> Value {
    let output = program.args(flags).arg("--json").output().expect("it starts");
    assert!(output.status.success(), "{flags:?}: {output:?}");
    serde_json::from_slice(&output.stdout).expect("one object")
}

impl Served {
    pub fn new(mut program: Command, flags: &[&str]) -> Served {
        program.args(["--port", "0"]).args(flags);
        // Two that wait for each other are slower where tests run beside them.
        if !flags.contains(&"--threads") {
            program.args(["--threads", "1"]);
        }
        Served::of(program)
    }

    /// Another program that greets like ours, perhaps after lines of its own.
    pub fn of(program: Command) -> Served {
        Served::with_errors(program, Stdio::null())
    }

    pub fn with_errors(mut program: Command, errors: Stdio) -> Served {
        let mut child =
            program.stdout(Stdio::piped()).stderr(errors).spawn().expect("the program starts");
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.as_mut().expect("a pipe"));
        while !line.contains("http://") {
            line.clear();
            let count = out.read_line(&mut line).expect("text");
            assert_ne!(count, 0, "it ends without a greeting");
        }
        let address = line.split_once("http://").and_then(|(_, rest)| rest.split('/').next());
        let address = address.expect("an address").to_string();
        Served { child, address }
    }

    pub fn client(&self) -> Client {
        Client::new(TcpStream::connect(&self.address).expect("it listens"))
    }

    /// The answer to a request with a body, over a connection of its own.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.client().ask(&post(path, body)).expect("an answer")
    }

    pub fn get(&self, path: &str) -> Answer {
        self.client().ask(&get(path)).expect("an answer")
    }

    /// The whole answer to this.
    pub fn ask(&self, path: &str, body: &Value) -> Value {
        let answer = self.post(path, body);
        assert_eq!(answer.status, 200, "{body}: {answer:?}");
        answer.json()
    }

    /// The same as a stream, which tells at its end what it took.
    pub fn stream(&self, path: &str, body: &Value) -> Vec<Value> {
        let body = with(body, "stream", true);
        let body = with(&body, "stream_options", json!({ "include_usage": true }));
        self.post(path, &body).chunks()
    }

    /// The first text that it answers to this.
    pub fn text(&self, body: &Value) -> String {
        text_of(&self.ask(COMPLETIONS, body)).to_string()
    }

    pub fn metrics(&self) -> String {
        String::from_utf8(self.get("/metrics").body).expect("text")
    }

    /// What /metrics counts, without the beginning of its names.
    pub fn counts(&self) -> BTreeMap<String, u64> {
        let text = self.metrics();
        let lines =
            text.lines().filter_map(|line| line.strip_prefix("serve_")?.split_once(' '));
        lines.map(|(name, count)| (name.into(), count.parse().expect("a count"))).collect()
    }

    pub fn count(&self, name: &str) -> u64 {
        self.counts()[name]
    }

    /// Waits until nobody is served or waits.
    pub fn wait_for_idle(&self) {
        self.wait_for("idle", |c| c["requests_running"] + c["requests_waiting"] == 0);
    }

    /// Waits for something to be counted.
    pub fn wait_for(&self, what: &str, is_so: impl Fn(&BTreeMap<String, u64>) -> bool) {
        let start = Instant::now();
        loop {
            let counts = self.counts();
            if is_so(&counts) {
                return;
            }
            assert!(start.elapsed() < PATIENCE, "never {what}: {counts:?}");
            sleep(Duration::from_millis(2));
        }
    }

    /// The longest that /health waits while this goes on.
    pub fn longest_wait(&self, goes_on: impl Fn() -> bool) -> Duration {
        let mut longest = Duration::ZERO;
        while goes_on() {
            let clock = Instant::now();
            assert_eq!(self.get("/health").status, 200);
            longest = longest.max(clock.elapsed());
            sleep(Duration::from_millis(10));
        }
        longest
    }

    /// How the program ends, if it does.
    pub fn ended(&mut self, within: Duration) -> Option<ExitStatus> {
        let start = Instant::now();
        while start.elapsed() < within {
            if let Some(status) = self.child.try_wait().expect("our child") {
                return Some(status);
            }
            sleep(Duration::from_millis(5));
        }
        None
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Bytes that it has in memory, where the system says so.
    pub fn memory(&self) -> Option<u64> {
        self.status("VmRSS:")
    }

    /// The most that it has had.
    pub fn peak_memory(&self) -> Option<u64> {
        self.status("VmHWM:")
    }

    fn status(&self, name: &str) -> Option<u64> {
        let text = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib << 10)
    }
}

/// One connection.
pub struct Client(BufReader<Patient>);

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl fmt::Debug for Answer {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let body = String::from_utf8_lossy(&self.body);
        write!(out, "{} {}", self.head.trim(), body.get(..400).unwrap_or(&body))
    }
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The objects of a stream, which ends as it has to.
    pub fn chunks(&self) -> Vec<Value> {
        let text = std::str::from_utf8(&self.body).expect("whole characters");
        let mut lines: Vec<&str> =
            text.lines().filter_map(|l| l.strip_prefix("data: ")).collect();
        let last = lines.pop().unwrap_or_default();
        assert!(last == "[DONE]", "a stream's last line is [DONE], and not {last:.200}");
        lines.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    pub fn error(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_string()
    }
}

impl Client {
    pub fn new(stream: TcpStream) -> Client {
        Client(BufReader::new(Patient::new(stream).expect("a timeout")))
    }

    /// Waits for a deadline of the server's that is longer.
    pub fn waits(&mut self, longest: Duration) {
        self.0.get_ref().0.set_read_timeout(Some(longest)).expect("a timeout");
    }

    /// The server may close before it has read all of it.
    pub fn send(&mut self, bytes: &[u8]) {
        let _ = self.sends(bytes);
    }

    /// Whether all of it could be sent.
    pub fn sends(&mut self, bytes: &[u8]) -> bool {
        self.0.get_mut().0.write_all(bytes).is_ok()
    }

    pub fn ask(&mut self, bytes: &[u8]) -> io::Result<Answer> {
        self.send(bytes);
        self.answer()
    }

    pub fn says_no_more(&self) {
        let _ = self.0.get_ref().0.shutdown(Shutdown::Write);
    }

    /// One line of what comes.
    pub fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        match self.0.read_line(&mut line)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ => Ok(line),
        }
    }

    pub fn head(&mut self) -> io::Result<(u16, String)> {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            head += &self.line()?;
        }
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Ok((status.ok_or(io::ErrorKind::InvalidData)?, head.to_lowercase()))
    }

    /// One whole answer, in whichever way its length is told.
    pub fn answer(&mut self) -> io::Result<Answer> {
        let (status, head) = self.head()?;
        let mut body = Vec::new();
        let length =
            head.split_once("content-length: ").and_then(|(_, rest)| rest.lines().next());
        if status < 200 {
        } else if let Some(length) = length {
            body.resize(length.parse().expect("a length"), 0);
            self.0.read_exact(&mut body)?;
        } else if head.contains("transfer-encoding: chunked") {
            loop {
                let length = usize::from_str_radix(self.line()?.trim(), 16).expect("a length");
                let start = body.len();
                body.resize(start + length, 0);
                self.0.read_exact(&mut body[start..])?;
                self.line()?;
                if length == 0 {
                    break;
                }
            }
        } else {
            self.0.read_to_end(&mut body)?;
        }
        Ok(Answer { status, head, body })
    }

    /// Whether the server has closed it. A reset says so too.
    pub fn is_closed(&mut self) -> bool {
        match self.0.fill_buf() {
            Ok(bytes) => bytes.is_empty(),
            Err(error) => error.kind() == io::ErrorKind::ConnectionReset,
        }
    }
}

pub fn get(path: &str) -> Vec<u8> {
    format!("GET {path} HTTP/1.1\r\n{HOST}\r\n").into()
}

pub fn post(path: &str, body: &Value) -> Vec<u8> {
    post_bytes(path, "", body.to_string().as_bytes())
}

pub fn post_bytes(path: &str, headers: &str, body: &[u8]) -> Vec<u8> {
    let length = body.len();
    let head = format!(
        "POST {path} HTTP/1.1\r\n{HOST}Content-Type: application/json\r\n{headers}Content-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), body].concat()
}

pub fn text_of(answer: &Value) -> &str {
    answer["choices"][0]["text"].as_str().expect("a text")
}

/// An answer of so many tokens.
pub fn long(tokens: usize, stream: bool) -> Value {
    json!({
        "prompt": "Once upon a time", "max_tokens": tokens, "ignore_eos": true,
        "temperature": 0, "stream": stream,
    })
}

pub fn short(prompt: &str) -> Value {
    json!({ "prompt": prompt, "max_tokens": 3, "temperature": 0 })
}

/// The texts of an answer that came whole, thoughts apart, and how they ended.
pub fn whole(answer: &Value) -> Vec<(String, String, Value)> {
    let all = choices(answer).iter().enumerate();
    all.map(|(index, choice)| {
        assert_eq!(choice["index"], index, "{answer}");
        let text = choice["text"].as_str().or(choice["message"]["content"].as_str());
        let thought = choice["message"]["reasoning_content"].as_str();
        let text = text.expect("a text").to_string();
        (text, thought.unwrap_or_default().into(), choice["finish_reason"].clone())
    })
    .collect()
}

/// What an answer says, without what is new each time and what was found.
pub fn says(mut answer: Value) -> Value {
    for name in ["id", "created"] {
        answer[name].take();
    }
    if let Some(usage) = answer["usage"].as_object_mut() {
        usage.remove("prompt_tokens_details");
    }
    answer
}

/// How many tokens of a prompt were found.
pub fn cached(answer: &Value) -> usize {
    let cached = &answer["usage"]["prompt_tokens_details"]["cached_tokens"];
    cached.as_u64().unwrap_or_else(|| panic!("it isn't told: {answer}")) as usize
}

pub fn choices(answer: &Value) -> &Vec<Value> {
    answer["choices"].as_array().expect("choices")
}

/// The texts of a stream's choices, thoughts apart, and how they ended.
pub fn joined(chunks: &[Value], count: usize) -> Vec<(String, String, Value)> {
    let mut all = vec![(String::new(), String::new(), Value::Null); count];
    for choice in chunks.iter().flat_map(choices) {
        let index = choice["index"].as_u64().expect("an index") as usize;
        let (text, thought, finish) = &mut all[index];
        assert!(finish.is_null(), "something after the end: {choice}");
        let delta = &choice["delta"];
        *text += choice["text"].as_str().or(delta["content"].as_str()).unwrap_or_default();
        *thought += delta["reasoning_content"].as_str().unwrap_or_default();
        *finish = choice["finish_reason"].clone();
    }
    all
}

/// Tokens of the tiny model's vocabulary; those of two seeds have nothing in common, not even the first.
pub fn ids(count: usize, seed: usize) -> Vec<usize> {
    (0..count).map(|i| (i * 7919 + 13 + seed * 331) % 1500).collect()
}

/// So many tokens after these.
pub fn body(prompt: impl Serialize, tokens: usize) -> Value {
    json!({ "prompt": prompt, "max_tokens": tokens, "ignore_eos": true, "temperature": 0 })
}

/// The body with one field more, or with another value of it.
pub fn with(body: &Value, name: &str, value: impl Into<Value>) -> Value {
    let mut body = body.clone();
    body[name] = value.into();
    body
}
