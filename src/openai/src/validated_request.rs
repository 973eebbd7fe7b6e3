use std::fmt::Display;
use std::ops::RangeInclusive;

use ground::chat::Message;
use ground::request::Options;
use serde_json::Value;

use crate::refusal::Refusal;
use crate::request_body::{Body, Logprobs, Prompts, Stops};
use crate::tools::{Conversation, Tools};

/// What a client wants, as far as that can be known without a model.
#[derive(Debug)]
pub struct ValidatedRequest {
    pub chat: bool,
    pub model: Option<String>,
    pub prompts: Vec<Prompt>, // at least one
    pub n: usize,             // answers to each
    pub options: Options,
    pub bias: Vec<(u32, f32)>, // is added to the logits of these tokens
    pub likely: Option<usize>, // tell how likely each token was, and so many of the likeliest
    pub think: Option<bool>,
    pub stream: bool,
    pub usage: bool,                   // at a stream's end, tell what it has cost
    pub counts: bool,                  // and in each chunk of it, so far
    pub schema: Option<Option<Value>>, // that an answer is held to, or to none
    pub tools: Option<Tools>,
    pub conversation: Option<Conversation>, // in place of messages
}

/// What an answer continues.
#[derive(Debug)]
pub enum Prompt {
    Text(String),
    Ids(Vec<u32>),
    Messages(Vec<Message>),
}

/// The most prompts in one request, and the most answers to one.
const PROMPTS: usize = 16;
const ANSWERS: usize = 8;
/// The most messages of a chat, and bytes of a text that ends an answer.
const MESSAGES: usize = 4096;
const STOP: usize = 1024;

impl ValidatedRequest {
    /// Reads the body of a request; `options` hold where it says nothing.
    pub fn parse(
        body: &[u8],
        chat: bool,
        options: Options,
    ) -> Result<ValidatedRequest, Refusal> {
        ValidatedRequest::of(Body::parse(body, false)?, chat, options)
    }

    pub fn of(
        body: Body,
        chat: bool,
        mut options: Options,
    ) -> Result<ValidatedRequest, Refusal> {
        if !chat {
            // As the specification has it: a completion is short unless it's asked to be long.
            options.max_new_tokens = options.max_new_tokens.min(16);
        }
        let usage =
            body.stream_options.as_ref().map(|options| options.0.include_usage == Some(true));
        let counts =
            body.stream_options.as_ref().and_then(|options| options.0.continuous_usage_stats);
        let stream = body.stream == Some(true);
        if usage.is_some() && !stream {
            let message = "stream_options needs stream: true";
            return Err(Refusal::of("stream_options", "invalid_value", message));
        }
        let of_chats = [
            ("top_logprobs", body.top_logprobs.is_some()),
            ("reasoning_effort", body.reasoning_effort.is_some()),
            ("chat_template_kwargs", body.chat_template_kwargs.is_some()),
        ];
        if let Some((name, _)) = of_chats.iter().find(|(_, given)| *given && !chat) {
            let message = format!("{name} is no parameter of a completion");
            return Err(Refusal::of(name, "unknown_parameter", message));
        }
        let mut bias = Vec::new();
        for (id, &more) in body.logit_bias.iter().flatten() {
            let Some(id) = id.parse().ok().filter(|number: &u32| number.to_string() == *id)
            else {
                let message =
                    format!("logit_bias: expected the number of a token, found {id:?}");
                return Err(Refusal::of("logit_bias", "invalid_value", message));
            };
            bias.extend(
                within("logit_bias", Some(more), -100.0..=100.0)?.map(|more| (id, more)),
            );
        }
        Ok(ValidatedRequest {
            chat,
            prompts: prompts(&body, chat)?,
            n: within("n", body.n, 1..=ANSWERS)?.unwrap_or(1),
            options: choices(&body, options)?,
            bias,
            likely: likely(&body, chat)?,
            think: think(&body),
            stream,
            usage: usage == Some(true),
            counts: counts == Some(true),
            schema: None,
            tools: None,
            conversation: None,
            model: body.model,
        })
    }

    /// The parameter that its prompts come from.
    pub fn param(&self) -> &'static str {
        params(self.chat).0
    }
}

/// The parameter that prompts come from, and the one of the other kind of requests.
fn params(chat: bool) -> (&'static str, &'static str) {
    if chat { ("messages", "prompt") } else { ("prompt", "messages") }
}

fn prompts(body: &Body, chat: bool) -> Result<Vec<Prompt>, Refusal> {
    let (param, other) = params(chat);
    let prompts = match (&body.messages, &body.prompt) {
        (Some(said), None) if chat => {
            within(param, Some(said.len()), 1..=MESSAGES)?;
            let messages =
                said.iter().enumerate().map(|(at, said)| said.message(at, body.structured));
            let messages: Vec<Message> = messages.collect::<Result<_, _>>()?;
            if let [.., last, end] = &messages[..]
                && (last.role == "assistant" && end.role == "assistant")
            {
                let message = "messages: expected a question at the end, found two answers";
                return Err(Refusal::of(param, "invalid_value", message));
            }
            vec![Prompt::Messages(messages)]
        }
        (None, Some(prompts)) if !chat => match prompts {
            Prompts::Text(text) => vec![Prompt::Text(text.clone())],
            Prompts::Texts(texts) => texts.iter().cloned().map(Prompt::Text).collect(),
            Prompts::Ids(ids) => vec![Prompt::Ids(ids.clone())],
            Prompts::Lists(lists) => lists.iter().cloned().map(Prompt::Ids).collect(),
        },
        _ => {
            let message = format!("expected {param}, and no {other}");
            return Err(Refusal::of(param, "missing_parameter", message));
        }
    };
    within(param, Some(prompts.len()), 1..=PROMPTS)?;
    Ok(prompts)
}

fn choices(body: &Body, mut options: Options) -> Result<Options, Refusal> {
    let limits = [
        ("max_tokens", body.max_tokens),
        ("max_completion_tokens", body.max_completion_tokens),
        ("n_predict", body.n_predict),
    ];
    let mut asked = Vec::new();
    for (name, limit) in limits {
        asked.extend(within(name, limit, 1..=u64::MAX)?);
    }
    if let Some(&least) = asked.iter().min() {
        options.max_new_tokens = usize::try_from(least).unwrap_or(usize::MAX);
    }
    let sampling = &mut options.sampling;
    let set = |old: &mut f32, new: Option<f32>| *old = new.unwrap_or(*old);
    set(&mut sampling.temperature, within("temperature", body.temperature, 0.0..=2.0)?);
    set(&mut sampling.top_p, within("top_p", body.top_p, 0.0..=1.0)?);
    let penalty = within("repetition_penalty", body.repetition_penalty, 0.01..=100.0)?;
    set(&mut sampling.repetition_penalty, penalty);
    sampling.top_k = body.top_k.map_or(sampling.top_k, |k| k as usize);
    sampling.seed = body.seed.map_or(sampling.seed, |seed| seed as u64);
    if let Some(Stops(stops)) = &body.stop {
        options.stop.clone_from(stops);
    }
    // Each token's text is looked through for them.
    let fits = |stop: &String| (1..=STOP).contains(&stop.len());
    if options.stop.len() > 16 || !options.stop.iter().all(fits) {
        let message = format!(
            "stop: expected at most 16 texts, none of them empty or longer than {STOP} bytes"
        );
        return Err(Refusal::of("stop", "invalid_value", message));
    }
    options.ignore_eos |= body.ignore_eos == Some(true);
    Ok(options)
}

fn likely(body: &Body, chat: bool) -> Result<Option<usize>, Refusal> {
    let top = within("top_logprobs", body.top_logprobs, 0..=20)?;
    match (&body.logprobs, chat) {
        (Some(Logprobs::Told(true)), true) => Ok(Some(top.unwrap_or(0))),
        (Some(Logprobs::Likely(count)), false) => within("logprobs", Some(*count), 0..=5),
        (Some(Logprobs::Told(true)), false) => {
            Err(Refusal::of("logprobs", "invalid_value", "logprobs: expected a whole number"))
        }
        (Some(Logprobs::Likely(_)), true) => {
            Err(Refusal::of("logprobs", "invalid_value", "logprobs: expected true or false"))
        }
        _ if top.unwrap_or(0) > 0 => {
            let message = "top_logprobs needs logprobs: true";
            Err(Refusal::of("top_logprobs", "invalid_value", message))
        }
        _ => Ok(None),
    }
}

/// Two ways to say whether the model is to think.
fn think(body: &Body) -> Option<bool> {
    let template = body.chat_template_kwargs.as_ref();
    let effort = body.reasoning_effort.as_ref().map(|effort| effort != "none");
    template.and_then(|options| options.0.enable_thinking).or(effort)
}
fn within<T: PartialOrd + Display>(
    name: &str,
    value: Option<T>,
    range: RangeInclusive<T>,
) -> Result<Option<T>, Refusal> {
    match value {
        Some(value) if !range.contains(&value) => {
            let (least, most) = range.into_inner();
            let message = format!("{name}: expected {least} to {most}, found {value}");
            Err(Refusal::of(name, "invalid_value", message))
        }
        value => Ok(value),
    }
}
