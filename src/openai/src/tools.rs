use std::collections::BTreeSet;

use ground::chat::Message;
use ground::request::Options;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::refusal::Refusal;
use crate::request_body::Body;
use crate::validated_request::{Prompt, ValidatedRequest};

/// The tools that may be called: at least one.
#[derive(Debug)]
pub struct Tools {
    pub callable: Vec<(usize, Function)>, // with its place among those that are offered
    pub must: bool,                       // be called
    pub parallel: bool,                   // more than one may be
}

/// A conversation with calls, as a template gets it.
#[derive(Debug)]
pub struct Conversation {
    pub messages: Vec<Value>,
    pub tools: Vec<Value>,
}

/// What of a body is about schemas and tools.
#[derive(Deserialize)]
struct Structured {
    response_format: Option<Format>,
    tools: Option<Vec<Tool>>,
    tool_choice: Option<Value>,
    parallel_tool_calls: Option<bool>,
    messages: Option<Vec<Value>>,
}

#[derive(Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Format {
    Text {},
    JsonObject {},
    JsonSchema { json_schema: Function },
}

#[derive(Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum Tool {
    Function { function: Function },
}

/// What has a name and a schema: a tool, or the form of an answer.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Function {
    pub name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, alias = "schema")]
    pub parameters: Value,
    #[serde(rename = "strict", skip_serializing)]
    _strict: Option<bool>, // it always is
}

/// The most tools in one request.
const TOOLS: usize = 128;

fn invalid(name: &str, why: &str) -> Refusal {
    Refusal::of(name, "invalid_value", format!("{name}: {why}"))
}

impl ValidatedRequest {
    /// As `parse`, for a server that can hold answers to a schema, and call tools.
    pub fn parse_structured(
        body: &[u8],
        chat: bool,
        options: Options,
    ) -> Result<ValidatedRequest, Refusal> {
        let read = Body::parse(body, true)?;
        let is_structured = read.structured;
        let mut validated = ValidatedRequest::of(read, chat, options)?;
        if !is_structured {
            return Ok(validated);
        }
        let mut reader = serde_json::Deserializer::from_slice(body);
        let asked: Result<Structured, _> = serde_path_to_error::deserialize(&mut reader);
        let asked = asked.map_err(|error| {
            invalid(&error.path().to_string(), &error.into_inner().to_string())
        })?;
        validated.schema = asked.response_format.map(|format| match format {
            Format::Text {} => None,
            Format::JsonObject {} => Some(json!({ "type": "object" })),
            Format::JsonSchema { json_schema } => Some(json_schema.parameters),
        });
        let Prompt::Messages(messages) = &validated.prompts[0] else {
            let message = "tools is no parameter of a completion";
            let refusal = Refusal::of("tools", "unknown_parameter", message);
            return if asked.tools.is_some() { Err(refusal) } else { Ok(validated) };
        };
        let mut offered = asked.tools.unwrap_or_default();
        let tools = choose(&offered, asked.tool_choice)?;
        if tools.callable.is_empty() {
            offered.clear(); // which it is not to use
        } else if let Some(Some(_)) = validated.schema {
            let why = "an answer can't be held to it and call tools, too";
            return Err(invalid("response_format", why));
        }
        let said = asked.messages.unwrap_or_default();
        let is_called = |said: &Value| said["role"] == "tool" || !said["tool_calls"].is_null();
        if !offered.is_empty() || said.iter().any(is_called) {
            let messages = conversation(said, messages)?;
            let tools = offered.iter().map(|tool| json!(tool)).collect();
            validated.conversation = Some(Conversation { messages, tools });
        }
        let parallel = asked.parallel_tool_calls != Some(false);
        validated.tools = Some(Tools { parallel, ..tools }).filter(|_| !offered.is_empty());
        Ok(validated)
    }
}

/// Which of them may be called, and whether one must be.
fn choose(offered: &[Tool], choice: Option<Value>) -> Result<Tools, Refusal> {
    let mut callable: Vec<(usize, Function)> = Vec::new();
    for (place, Tool::Function { function }) in offered.iter().enumerate() {
        let mut function = function.clone();
        if function.parameters.is_null() || function.parameters == json!({}) {
            function.parameters =
                json!({ "type": "object", "additionalProperties": false, "properties": {} });
        }
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
        if !(1..=64).contains(&function.name.len()) || !function.name.bytes().all(is_plain) {
            let name = format!("tools[{place}].function.name");
            return Err(invalid(&name, "expected 1 to 64 letters, digits, _ or -"));
        }
        if function.parameters["type"] != "object" {
            let name = format!("tools[{place}].function.parameters.type");
            return Err(invalid(&name, "expected object"));
        }
        if callable.iter().any(|(_, other)| other.name == function.name) {
            return Err(invalid("tools", &format!("{} is there twice", function.name)));
        }
        callable.push((place, function));
    }
    if callable.len() > TOOLS {
        return Err(invalid("tools", &format!("expected at most {TOOLS}")));
    }
    let choice = choice.unwrap_or("auto".into());
    match (choice.as_str(), choice["function"]["name"].as_str()) {
        (Some("none"), _) => callable.clear(),
        (Some("auto" | "required"), _) => {}
        (_, name) => callable.retain(|(_, tool)| name == Some(&tool.name)),
    }
    let must = choice != "auto" && choice != "none";
    if must && callable.is_empty() {
        let why = "expected auto, none, required, or a function that is offered, by its name";
        return Err(invalid("tool_choice", why));
    }
    Ok(Tools { callable, must, parallel: true })
}

/// The messages with their calls, whose arguments templates know as objects. Each result answers a call.
fn conversation(mut said: Vec<Value>, messages: &[Message]) -> Result<Vec<Value>, Refusal> {
    let mut ids = BTreeSet::new();
    for (at, (said, message)) in said.iter_mut().zip(messages).enumerate() {
        (said["role"], said["content"]) = (json!(message.role), json!(message.content));
        let calls = said.get_mut("tool_calls").and_then(Value::as_array_mut);
        for call in calls.into_iter().flatten() {
            let arguments = call["function"]["arguments"].as_str().unwrap_or_default();
            if let Ok(object) = serde_json::from_str::<Map<String, Value>>(arguments) {
                call["function"]["arguments"] = object.into();
            }
            ids.extend(call["id"].as_str().map(String::from));
        }
        let is_known = said["tool_call_id"].as_str().is_some_and(|id| ids.contains(id));
        if message.role == "tool" && !is_known {
            let name = format!("messages[{at}].tool_call_id");
            return Err(invalid(&name, "expected the id of a call before it"));
        }
    }
    Ok(said)
}
