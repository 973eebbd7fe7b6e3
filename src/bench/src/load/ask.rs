//! One request as OpenAI's clients send it, and what can be seen of its answer while it comes.

use std::time::{Duration, Instant};

use ground::random::SplitMix64;
use ground::text::one_line;
use serde::Serialize;
use serde_json::{Value, json};

use super::http::{Response, Server, line_or_end, told};

/// A whole answer, by the client's clock, which runs from the moment when the request was due.
#[derive(Debug, Serialize)]
pub struct Answer {
    /// None: not one event had text.
    pub first_token_ms: Option<f64>,
    /// Between two events with text. A server may put several tokens into one.
    pub gaps_ms: Vec<f64>,
    /// Until `[DONE]`.
    pub total_ms: f64,
    /// As the server counts them.
    pub tokens: u64,
    pub prompt_tokens: u64,
    /// Of the prompt's: those that it did not compute again, if it says so.
    pub cached_tokens: u64,
}

/// What all requests have in common.
pub struct Asker {
    pub server: Server,
    pub model: String,
    /// None: no request says one, and the server takes its own.
    pub temperature: Option<f64>,
    pub ignore_eos: bool,
    pub limit: Duration,
}

/// A request came to this, or failed for that reason.
pub type Told = Result<Answer, String>;

impl Asker {
    /// Asks for an answer of so many tokens, and waits for its end. A client that is late has waited since `due`.
    pub fn ask(&self, prompt: &str, max_tokens: usize, due: Instant) -> Told {
        let mut request = json!({
            "model": self.model, "prompt": prompt, "max_tokens": max_tokens,
            "stream": true, "stream_options": { "include_usage": true },
        });
        if let Some(temperature) = self.temperature {
            request["temperature"] = temperature.into();
        }
        if self.ignore_eos {
            request["ignore_eos"] = true.into();
        }
        let request = request.to_string();
        let response = self.server.ask("POST /v1/completions", &request, self.limit)?;
        if response.status != 200 {
            return Err(refusal(response));
        }
        if !response.kind.starts_with("text/event-stream") {
            let kind = one_line(&response.kind, 100);
            return Err(format!(
                "no stream: asked for text/event-stream, the server sent \"{kind}\""
            ));
        }
        let ms = || (due.elapsed().as_secs_f64() * 1e6).round() / 1e3;
        let (mut times, mut usage) = (Vec::new(), None);
        let mut body = response.body;
        while let Some(line) = line_or_end(&mut body).map_err(told)? {
            let Some(data) = line.strip_prefix("data:").map(str::trim) else { continue };
            let now = ms();
            if data == "[DONE]" {
                return Answer::new(&times, now, usage);
            }
            let event: Value = serde_json::from_str(data)
                .map_err(|_| format!("an event is not JSON: \"{}\"", one_line(data, 100)))?;
            if !event["error"].is_null() {
                return Err(format!("an error in the middle of the answer: {}", message(data)));
            }
            if event["choices"][0]["text"].as_str().is_some_and(|text| !text.is_empty()) {
                times.push(now);
            }
            if event["usage"].is_object() {
                usage = Some(event["usage"].clone());
            }
        }
        Err("the stream ended without [DONE]: the server gave up, and its log may say why"
            .into())
    }

    /// The first model that the server names.
    pub fn first_model(server: &Server, limit: Duration) -> Result<String, String> {
        let response = server.ask("GET /v1/models", "", limit)?;
        if response.status != 200 {
            return Err(refusal(response));
        }
        let models: Value = serde_json::from_str(&response.text()?).unwrap_or_default();
        let name = models["data"][0]["id"].as_str().map(String::from);
        name.ok_or("GET /v1/models names no model: --model NAME says which one".into())
    }
}

impl Answer {
    fn new(times: &[f64], total_ms: f64, usage: Option<Value>) -> Result<Answer, String> {
        let usage = usage.unwrap_or_default();
        let count = |name: &str| usage[name].as_u64();
        let (Some(tokens), Some(prompt_tokens)) =
            (count("completion_tokens"), count("prompt_tokens"))
        else {
            let need = "this server leaves out what \"stream_options\": {\"include_usage\": true} asks for";
            return Err(format!("no usage in the stream, so tokens cannot be counted: {need}"));
        };
        let gap = |pair: &[f64]| ((pair[1] - pair[0]) * 1e3).round() / 1e3;
        Ok(Answer {
            first_token_ms: times.first().copied(),
            gaps_ms: times.windows(2).map(gap).collect(),
            total_ms,
            tokens,
            prompt_tokens,
            cached_tokens: usage["prompt_tokens_details"]["cached_tokens"]
                .as_u64()
                .unwrap_or(0),
        })
    }
}

/// What a status other than 200 means, and what to do.
fn refusal(response: Response) -> String {
    let status = response.status;
    let said = response.text().map_or_else(|why| why, |text| message(&text));
    let advice = match status {
        400 if said.contains("ignore_eos") => ": --no-ignore-eos leaves that out",
        401 | 403 => ": --key KEY sends one",
        404 => ": is it --model NAME, or the address?",
        429 => ": it has no room for so many clients, take fewer",
        503 => ": it is starting or ending, try again",
        _ => "",
    };
    format!("status {status} ({said}){advice}")
}

/// What an error says, in OpenAI's form or in any other.
fn message(text: &str) -> String {
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    let error = &json["error"];
    let said = error["message"].as_str().or(error.as_str()).or(json["detail"].as_str());
    let line = text.trim().lines().next().unwrap_or("nothing said");
    one_line(said.unwrap_or(line), 200)
}

/// Plain words: in a large vocabulary each is a token.
pub const WORDS: [&str; 64] = [
    "time", "year", "people", "way", "day", "man", "thing", "woman", "life", "child", "world",
    "school", "state", "family", "student", "group", "country", "problem", "hand", "part",
    "place", "case", "week", "company", "system", "program", "question", "work", "night",
    "point", "home", "water", "room", "mother", "area", "money", "story", "fact", "month",
    "lot", "right", "study", "book", "eye", "job", "word", "business", "issue", "side", "kind",
    "head", "house", "service", "friend", "father", "power", "hour", "game", "line", "end",
    "member", "law", "car", "city",
];

/// Words by lot, of which the first three spell the request's number: what a server has kept of one prompt is hardly
/// the beginning of another.
pub fn prompt(seed: u64, number: u64, words: usize) -> String {
    let mut random = SplitMix64::new(seed ^ number.rotate_left(32));
    let word = |at: usize| match at {
        0..3 => WORDS[(number >> (6 * at)) as usize % WORDS.len()],
        _ => WORDS[random.below(WORDS.len())],
    };
    (0..words).map(word).collect::<Vec<_>>().join(" ")
}
