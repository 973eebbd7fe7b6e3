use std::collections::BTreeMap;

use ground::chat::Message;
use serde::Deserialize;
use serde_json::Value;

use super::read_json::{Rest, Short, With};
use super::refusal::Refusal;

/// The body of a request.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub struct Body {
    pub model: Option<String>,
    pub messages: Option<Vec<With<Said>>>,
    pub prompt: Option<Prompts>,
    pub max_tokens: Option<u64>,
    pub max_completion_tokens: Option<u64>,
    pub n_predict: Option<u64>, // llama.cpp's name of it
    pub n: Option<usize>,
    pub temperature: Option<f32>,
    pub top_p: Option<f32>,
    pub top_k: Option<u32>,
    pub repetition_penalty: Option<f32>,
    pub seed: Option<i64>,
    pub stop: Option<Stops>,
    pub ignore_eos: Option<bool>,
    pub logprobs: Option<Logprobs>,
    pub top_logprobs: Option<usize>,
    pub logit_bias: Option<BTreeMap<String, f32>>, // by the token's number
    pub stream: Option<bool>,
    pub stream_options: Option<With<StreamOptions>>,
    pub reasoning_effort: Option<String>,
    pub chat_template_kwargs: Option<With<TemplateOptions>>,
    #[serde(skip)]
    pub structured: bool, // what it says of schemas and tools is read elsewhere
}

#[derive(Debug, Deserialize)]
pub struct Said {
    role: String,
    content: Option<Content>,
}

#[derive(Debug)]
pub enum Content {
    Text(String),
    Parts(Vec<With<Part>>),
}

#[derive(Debug, Deserialize)]
pub struct Part {
    r#type: String,
    #[serde(default)]
    text: String,
}

#[derive(Debug)]
pub enum Prompts {
    Text(String),
    Texts(Vec<String>),
    Ids(Vec<u32>),
    Lists(Vec<Vec<u32>>),
}

#[derive(Debug)]
pub struct Stops(pub Vec<String>);

/// In a chat true or false, in a completion a number.
#[derive(Debug)]
pub enum Logprobs {
    Told(bool),
    Likely(usize),
}

#[derive(Debug, Deserialize)]
pub struct StreamOptions {
    pub include_usage: Option<bool>,
    pub continuous_usage_stats: Option<bool>, // vLLM's: guidellm asks for it
    #[serde(rename = "include_obfuscation")]
    _padded: Option<bool>, // against listeners on the wire: our tokens never are
}

#[derive(Debug, Deserialize)]
pub struct TemplateOptions {
    pub enable_thinking: Option<bool>,
}

/// What clients send and no answer depends on.
const IDLE: &str = "user metadata store service_tier safety_identifier prompt_cache_key \
     prompt_cache_retention parallel_tool_calls verbosity name reasoning_content refusal annotations \
     cache_prompt id_slot";

/// What would change an answer if we could do it, with the value that asks for nothing.
const REFUSED: [(&str, &str); 16] = [
    ("best_of", "1"),
    ("echo", "false"),
    ("suffix", "\"\""),
    ("frequency_penalty", "0"),
    ("presence_penalty", "0"),
    ("tools", "[]"),
    ("tool_calls", "[]"),
    ("tool_choice", "\"none\""),
    ("functions", "[]"),
    ("function_call", "\"none\""),
    ("response_format", "{\"type\":\"text\"}"),
    ("modalities", "[\"text\"]"),
    ("audio", "null"),
    ("prediction", "null"),
    ("web_search_options", "null"),
    ("cache_salt", "null"),
];

/// What asks for nothing where a second field says that it shall not be used.
const UNUSED: [(&str, &str); 2] = [("tools", "tool_choice"), ("functions", "function_call")];

/// What is about schemas and tools.
const STRUCTURED: &str =
    "response_format tools tool_choice parallel_tool_calls tool_calls tool_call_id";
/// With any of it a body may have so many values: they take much more memory than their text.
const VALUES: usize = 1 << 15;

impl Body {
    /// Reads a body, and refuses what would otherwise be ignored.
    pub fn parse(bytes: &[u8], structured: bool) -> Result<Body, Refusal> {
        let mut reader = serde_json::Deserializer::from_slice(bytes);
        let body: Result<With<Body>, _> = serde_path_to_error::deserialize(&mut reader);
        let body = body.map_err(|error| {
            let path = error.path().to_string();
            let why = error.into_inner();
            match why.classify() {
                serde_json::error::Category::Data if path != "." => {
                    Refusal::of(&path, "invalid_value", format!("{path}: {why}"))
                }
                _ => Refusal::new(
                    400,
                    "invalid_json",
                    format!("the body is not as expected: {why}"),
                ),
            }
        })?;
        reader.end().map_err(|why| Refusal::new(400, "invalid_json", why.to_string()))?;
        let With(mut body, mut rest) = body;
        let is_other = |(name, _): &(String, Short)| {
            !structured || !STRUCTURED.split(' ').any(|known| known == name)
        };
        let said = body.messages.iter().flatten().flat_map(|said| &said.1);
        if let Some((name, _)) = rest.iter().chain(said).find(|field| !is_other(field)) {
            if bytes.iter().filter(|byte| b",[{".contains(byte)).count() > VALUES {
                let message =
                    format!("{name}: with it a body may have at most {VALUES} values");
                return Err(Refusal::of(name, "invalid_value", message));
            }
            body.structured = true;
        }
        rest.retain(is_other);
        body.messages.iter_mut().flatten().for_each(|said| said.1.retain(is_other));
        refuse_rest("", &rest)?;
        if let Some(options) = &body.stream_options {
            refuse_rest("stream_options.", &options.1)?;
        }
        if let Some(options) = &body.chat_template_kwargs {
            refuse_rest("chat_template_kwargs.", &options.1)?;
        }
        Ok(body)
    }
}

impl With<Said> {
    pub fn message(&self, at: usize, structured: bool) -> Result<Message, Refusal> {
        let With(Said { role, content }, rest) = self;
        let place = format!("messages[{at}].");
        if role == "function" || role == "tool" && !structured {
            let message = format!("{place}role: tools are not supported here");
            return Err(Refusal::of(&format!("{place}role"), "unsupported_parameter", message));
        }
        refuse_rest(&place, rest)?;
        let role = match role.as_str() {
            "developer" => "system", // the newer name of the same
            "system" | "user" | "assistant" | "tool" => role,
            _ => {
                let message = format!(
                    "{place}role: expected system, developer, user or assistant, found {role:?}"
                );
                return Err(Refusal::of(&format!("{place}role"), "invalid_value", message));
            }
        };
        let content = match content {
            None if structured && role == "assistant" => String::new(), // it has called a tool
            None => {
                let message = format!("{place}content: expected a text");
                return Err(Refusal::of(&format!("{place}content"), "invalid_value", message));
            }
            Some(Content::Text(text)) => text.clone(),
            Some(Content::Parts(parts)) => {
                if let Some(other) = parts.iter().find(|part| part.0.r#type != "text") {
                    let message = format!(
                        "{place}content: this model reads text, found {:?}",
                        other.0.r#type
                    );
                    let place = format!("{place}content");
                    return Err(Refusal::of(&place, "unsupported_parameter", message));
                }
                for part in parts {
                    refuse_rest(&format!("{place}content."), &part.1)?;
                }
                parts.iter().map(|part| part.0.text.as_str()).collect()
            }
        };
        Ok(Message { role: role.into(), content })
    }
}

/// A field that does nothing here would be believed to do something.
fn refuse_rest(place: &str, rest: &Rest) -> Result<(), Refusal> {
    for (at, (name, value)) in rest.iter().enumerate() {
        let param = format!("{place}{name}");
        let refused = REFUSED.iter().find(|(refused, _)| refused == name);
        if refused.is_none() && !IDLE.split_whitespace().any(|idle| idle == name) {
            let message = format!("{param} is no parameter of this request");
            return Err(Refusal::of(&param, "unknown_parameter", message));
        }
        // All before it are known, so there are few.
        if rest[..at].iter().any(|(before, _)| before == name) {
            return Err(Refusal::of(&param, "invalid_json", format!("{param} is there twice")));
        }
        let nothing: Option<Value> =
            refused.map(|(_, nothing)| serde_json::from_str(nothing).expect("we wrote it"));
        let asks_nothing = |nothing: Value| {
            value.0.as_ref().is_some_and(|value| {
                let number = value.as_f64().is_some() && value.as_f64() == nothing.as_f64();
                value.is_null() || *value == nothing || number
            })
        };
        let says_none = |(_, value): &(String, Short)| value.0 == Some(Value::from("none"));
        let is_unused = UNUSED.iter().any(|(unused, by)| {
            unused == name && rest.iter().any(|other| other.0 == *by && says_none(other))
        });
        if !is_unused && !nothing.is_none_or(asks_nothing) {
            let instead = match name.as_str() {
                "cache_salt" => {
                    "what was computed for one API key is never another's: give each client a key"
                }
                "tools" => "leave it out, or say tool_choice: \"none\"",
                _ => "leave it out",
            };
            let message = format!("{param} is not supported here: {instead}");
            return Err(Refusal::of(&param, "unsupported_parameter", message));
        }
    }
    Ok(())
}
