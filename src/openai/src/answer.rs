use std::collections::BTreeMap;
use std::slice;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{SystemTime, UNIX_EPOCH};

use ground::request::{FinishReason, Guesses, Step, Token};
use ground::think_split::Thought;
use ground::tokenizer::Tokenizer;
use serde_json::{Value, json};

use crate::calls::{Called, Calls};
use crate::validated_request::ValidatedRequest;

/// How the answers to one request are told: in which shape, and what is the same in all parts of it.
pub struct Form {
    chat: bool,
    id: String,
    created: u64, // seconds since 1970
    model: String,
    fingerprint: &'static str,
    likely: bool,
    counts: bool, // in each chunk of a stream, what it has cost so far
    n: usize,     // answers to each prompt
    prompt_tokens: usize,
    tokenizer: &'static Tokenizer,
}

/// One answer, as far as it has come.
#[derive(Default)]
pub struct Told {
    thinks_first: Option<bool>, // where its grammar says that a thought comes first or not at all
    thought: Thought,
    in_thought: bool,
    has_begun: bool, // the thought or the answer that it is in; before that, line ends are dropped
    text: String,
    characters: usize, // of the text: to count them at each step would take longer from step to step
    reasoning: String,
    calls: Option<Calls>, // where tools may be called
    tokens: Vec<Token>,
    count: usize,
    pub cached: Option<usize>, // tokens of its prompt that weren't computed again
    pub guesses: Option<Guesses>,
    pub finish: Option<FinishReason>,
}

impl Told {
    /// An answer that is held to a grammar: it may have the tags of thoughts in its texts, as letters.
    pub fn held(thinks: bool, calls: bool) -> Told {
        let calls = calls.then(Calls::default);
        Told { thinks_first: Some(thinks), calls, ..Told::default() }
    }

    fn called(&self) -> &[Called] {
        self.calls.as_ref().map_or(&[], |calls| &calls.all)
    }

    /// Takes in one step, and says what it adds: to the answer, to the thought, and to calls. Only in a chat is a thought told apart.
    pub fn push(&mut self, chat: bool, step: &Step) -> (String, String, Vec<(usize, Called)>) {
        self.count += 1;
        self.finish = step.finish;
        self.tokens.extend(step.token.clone());
        let has_text = !self.text.is_empty() || self.calls.iter().any(Calls::began);
        let may_think = self.thinks_first.is_none_or(|first| first && !has_text);
        let mut parts = match chat && may_think {
            true => self.thought.push(&step.text),
            false => vec![self.thought.finish(), (step.text.clone(), false)],
        };
        parts.extend(step.finish.map(|_| self.thought.finish()));
        let (mut text, mut reasoning, mut calls) = (String::new(), String::new(), Vec::new());
        for (part, in_thought) in parts {
            self.has_begun &= in_thought == self.in_thought;
            self.in_thought = in_thought;
            let mut part = part.as_str();
            if in_thought {
                part = part.trim_start_matches("<think>").trim_end_matches("</think>");
            }
            if chat && !self.has_begun {
                part = part.trim_start_matches('\n');
                self.has_begun = !part.is_empty();
            }
            match &mut self.calls {
                Some(all) if !in_thought => text += &all.push(part, &mut calls),
                _ => *if in_thought { &mut reasoning } else { &mut text } += part,
            }
        }
        if let (Some(calls), Some(_)) = (&mut self.calls, step.finish) {
            text += &calls.finish();
        }
        self.text.push_str(&text);
        self.characters += text.chars().count();
        self.reasoning.push_str(&reasoning);
        (text, reasoning, calls)
    }

    /// Why it has ended, in OpenAI's words.
    fn ending(&self) -> Option<&'static str> {
        Some(match self.finish? {
            FinishReason::Length => "length",
            _ if !self.called().is_empty() => "tool_calls",
            _ => "stop",
        })
    }
}

impl Form {
    /// A form with a name of its own.
    pub fn new(
        validated: &ValidatedRequest,
        model: String,
        fingerprint: &'static str,
        prompt_tokens: usize,
        tokenizer: &'static Tokenizer,
    ) -> Form {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let (kind, count) =
            (if validated.chat { "chatcmpl" } else { "cmpl" }, COUNT.fetch_add(1, Relaxed));
        Form {
            chat: validated.chat,
            id: format!("{kind}-{:x}-{count:x}", now.as_micros()),
            created: now.as_secs(),
            model,
            fingerprint,
            likely: validated.likely.is_some(),
            counts: validated.counts,
            n: validated.n,
            prompt_tokens,
            tokenizer,
        }
    }

    /// The whole answer as JSON, for a client that waits for all of it.
    pub fn whole(&self, all: &[Told]) -> String {
        let object = if self.chat { "chat.completion" } else { "text_completion" };
        let mut frame = self.part(object, Vec::new());
        frame["usage"] = self.usage(all);
        let mut json = String::new();
        write_object(&mut json, &frame, |json, name| {
            if name == "choices" {
                let all = all.iter().enumerate();
                write_list(json, all, |json, (index, told)| {
                    self.write_choice(json, index, told);
                });
            }
            name == "choices"
        });
        json
    }

    fn write_choice(&self, json: &mut String, index: usize, told: &Told) {
        let (key, value) = match self.chat {
            false => ("text", json!(told.text)),
            true => {
                let mut message =
                    json!({ "role": "assistant", "content": told.text, "refusal": null });
                if !told.reasoning.is_empty() {
                    message["reasoning_content"] = json!(told.reasoning);
                }
                if !told.called().is_empty() {
                    let all = told.called().iter().enumerate().map(|(at, call)| {
                        json!({ "id": self.call_id(index, at), "type": "function", "function": call })
                    });
                    message["tool_calls"] = all.collect();
                    if told.text.is_empty() {
                        message["content"] = Value::Null;
                    }
                }
                ("message", message)
            }
        };
        let choice = choice(index, key, value, Value::Null, told.ending());
        write_object(json, &choice, |json, name| {
            if name == "logprobs" {
                self.write_logprobs(json, &told.tokens);
            }
            name == "logprobs"
        });
    }

    /// A token at a time: the values of all of them would take twenty times the memory of their text.
    fn write_logprobs(&self, json: &mut String, tokens: &[Token]) {
        let first = self.logprobs(&tokens[..tokens.len().min(1)], 0);
        if first.is_null() {
            return json.push_str("null");
        }
        let lists =
            first.as_object().into_iter().flatten().filter(|(_, value)| value.is_array());
        let mut lists: BTreeMap<&str, String> =
            lists.map(|(name, _)| (&**name, "[".into())).collect();
        let mut before = 0;
        for token in tokens {
            let one = self.logprobs(slice::from_ref(token), before);
            for (name, list) in &mut lists {
                if list.len() > 1 {
                    list.push(',');
                }
                list.push_str(&one[*name][0].to_string());
            }
            before += self.text(token.id).chars().count();
        }
        write_object(json, &first, |json, name| {
            let list = lists.get(name);
            if let Some(list) = list {
                json.push_str(list);
                json.push(']');
            }
            list.is_some()
        });
    }

    /// The first chunk of a streamed chat says who speaks.
    pub fn opening(&self, index: usize) -> Option<Value> {
        let delta = json!({ "role": "assistant", "content": null });
        self.chat.then(|| self.chunk(index, delta, Value::Null, None))
    }

    /// Takes in one step, whose chunks these are: none while a character isn't whole.
    pub fn next(&self, index: usize, told: &mut Told, step: &Step) -> Vec<Value> {
        let mut chunks = self.chunks(index, told, step);
        if self.counts {
            let usage = self.usage(slice::from_ref(told));
            chunks.iter_mut().for_each(|chunk| chunk["usage"] = usage.clone());
        }
        chunks
    }

    fn chunks(&self, index: usize, told: &mut Told, step: &Step) -> Vec<Value> {
        let before = told.characters;
        let (text, reasoning, calls) = told.push(self.chat, step);
        let end = told.ending();
        let logprobs = self.logprobs(step.token.as_slice(), before);
        let (mut chunks, nothing) = (Vec::new(), text.is_empty() && logprobs.is_null());
        if !self.chat {
            if !nothing || end.is_some() {
                chunks.push(self.chunk(index, json!(text), logprobs, end));
            }
            return chunks;
        }
        if !reasoning.is_empty() {
            let delta = json!({ "reasoning_content": reasoning });
            chunks.push(self.chunk(index, delta, Value::Null, None));
        }
        if !nothing {
            chunks.push(self.chunk(index, json!({ "content": text }), logprobs, None));
        }
        for (at, Called { name, arguments }) in calls {
            let mut call = json!({ "index": at, "function": { "arguments": arguments } });
            if !name.is_empty() {
                call["id"] = self.call_id(index, at).into();
                call["type"] = "function".into();
                call["function"]["name"] = name.into();
            }
            let delta = json!({ "tool_calls": [call] });
            chunks.push(self.chunk(index, delta, Value::Null, None));
        }
        if end.is_some() {
            chunks.push(self.chunk(index, json!({}), Value::Null, end));
        }
        chunks
    }

    /// The chunk at a stream's end that says what it has cost.
    pub fn cost(&self, all: &[Told]) -> Value {
        let mut value = self.part(self.chunk_name(), Vec::new());
        value["usage"] = self.usage(all);
        value
    }

    /// By which the result of a call says whose it is.
    fn call_id(&self, index: usize, at: usize) -> String {
        self.id.replace("chatcmpl-", "call-") + &format!("-{index}-{at}")
    }

    fn chunk(
        &self,
        index: usize,
        new: Value,
        logprobs: Value,
        end: Option<&'static str>,
    ) -> Value {
        let key = if self.chat { "delta" } else { "text" };
        self.part(self.chunk_name(), vec![choice(index, key, new, logprobs, end)])
    }

    fn chunk_name(&self) -> &'static str {
        if self.chat { "chat.completion.chunk" } else { "text_completion" }
    }

    fn part(&self, object: &str, choices: Vec<Value>) -> Value {
        let Form { id, created, model, fingerprint, .. } = self;
        json!({
            "id": id, "object": object, "created": created, "model": model,
            "system_fingerprint": fingerprint, "choices": choices,
        })
    }

    fn usage(&self, all: &[Told]) -> Value {
        let prompt = self.prompt_tokens;
        let new: usize = all.iter().map(|told| told.count).sum();
        let mut usage = json!({ "prompt_tokens": prompt, "completion_tokens": new, "total_tokens": prompt + new });
        // Of several answers to a prompt, it's the first that may have had to compute it.
        let firsts = all.iter().step_by(self.n);
        if let Some(cached) = firsts.map(|told| told.cached).sum::<Option<usize>>() {
            usage["prompt_tokens_details"] = json!({ "cached_tokens": cached });
        }
        let both = |a: Guesses, b: Guesses| Guesses {
            guessed: a.guessed + b.guessed,
            accepted: a.accepted + b.accepted,
        };
        let guesses = all.iter().filter_map(|told| told.guesses).reduce(both);
        if let Some(Guesses { guessed, accepted }) = guesses {
            usage["completion_tokens_details"] = json!({
                "accepted_prediction_tokens": accepted, "rejected_prediction_tokens": guessed - accepted,
            });
        }
        usage
    }

    /// How likely tokens were. The two kinds of requests have two shapes for that; one of them counts the
    /// characters before each token.
    fn logprobs(&self, tokens: &[Token], mut before: usize) -> Value {
        if !self.likely || tokens.is_empty() {
            return Value::Null;
        }
        let bytes = |id: u32| self.tokenizer.printed_bytes(id).unwrap_or_default();
        let text = |id: u32| self.text(id);
        // JSON has no infinity: this is what OpenAI says for what can hardly happen.
        let finite = |logprob: f32| logprob.max(-9999.0);
        if self.chat {
            let one = |&(id, logprob): &(u32, f32)| json!({ "token": text(id), "logprob": finite(logprob), "bytes": bytes(id) });
            let content = tokens.iter().map(|token| {
                let mut value = one(&(token.id, token.logprob));
                value["top_logprobs"] = token.likely.iter().map(one).collect();
                value
            });
            return json!({ "content": content.collect::<Value>(), "refusal": null });
        }
        let mut all = json!({ "tokens": [], "token_logprobs": [], "top_logprobs": [], "text_offset": [] });
        for token in tokens {
            let likely = token.likely.iter();
            let likely: Value =
                likely.map(|&(id, logprob)| (text(id), json!(finite(logprob)))).collect();
            let row =
                [json!(text(token.id)), json!(finite(token.logprob)), likely, json!(before)];
            let lists = all.as_object_mut().into_iter().flat_map(|all| all.values_mut());
            lists.zip(row).for_each(|(list, value)| list.as_array_mut().unwrap().push(value));
            before += text(token.id).chars().count();
        }
        all
    }

    fn text(&self, id: u32) -> String {
        let bytes = self.tokenizer.printed_bytes(id).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }
}

/// An object whose large fields are written by `write`, which says whether it has written one.
fn write_object(
    json: &mut String,
    object: &Value,
    mut write: impl FnMut(&mut String, &str) -> bool,
) {
    let mut mark = '{';
    for (name, value) in object.as_object().into_iter().flatten() {
        json.push(mark);
        json.push_str(&json!(name).to_string());
        json.push(':');
        if !write(json, name) {
            json.push_str(&value.to_string());
        }
        mark = ',';
    }
    json.push('}');
}

fn write_list<T>(
    json: &mut String,
    all: impl IntoIterator<Item = T>,
    mut write: impl FnMut(&mut String, T),
) {
    json.push('[');
    for (at, one) in all.into_iter().enumerate() {
        if at > 0 {
            json.push(',');
        }
        write(json, one);
    }
    json.push(']');
}

fn choice(
    index: usize,
    key: &str,
    value: Value,
    logprobs: Value,
    finish: Option<&'static str>,
) -> Value {
    json!({ "index": index, key: value, "logprobs": logprobs, "finish_reason": finish })
}
