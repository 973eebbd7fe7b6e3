use std::collections::BTreeSet;

use ground::chat::Message;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::read_json::With;
use crate::refusal::Refusal;
use crate::request_body::{Body, Large, Said, unknown};

/// What an answer has to be, as a whole.
#[derive(Debug)]
pub enum Format {
    Text,
    Json, // any object
    Schema(Value),
}

/// The tools that a client offers, and the conversation so far, in which some may have been called.
#[derive(Debug)]
pub struct Tools {
    pub offered: Vec<Value>, // as the client wrote them
    pub callable: Vec<Tool>, // some of these: none is called
    pub must: bool,          // at least one of them is
    pub parallel: bool,      // more than one may be
    pub messages: Vec<Value>,
}

#[derive(Clone, Debug)]
pub struct Tool {
    pub place: usize, // among those that are offered
    pub name: String,
    pub parameters: Value, // the schema of its arguments
}

/// Which function, and with what: an object, as text.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
pub struct Called {
    pub name: String,
    pub arguments: String,
}

/// The most tools in one request.
const TOOLS: usize = 128;

/// The field's value, if it is there. One that is too large was left out.
fn value<'b>(name: &str, field: &'b Option<Large>) -> Result<Option<&'b Value>, Refusal> {
    let large = || Refusal::of(name, "invalid_value", format!("{name}: larger than 256 KiB"));
    field.as_ref().map(|field| field.0.as_ref().ok_or_else(large)).transpose()
}

/// An object that has no other fields than these.
fn object<'b>(
    name: &str,
    value: &'b Value,
    fields: &str,
) -> Result<&'b Map<String, Value>, Refusal> {
    let object = value.as_object().ok_or_else(|| expected(name, "an object", value))?;
    match object.keys().find(|key| !fields.split(' ').any(|field| field == *key)) {
        Some(other) => Err(unknown(&format!("{name}.{other}"))),
        None => Ok(object),
    }
}

fn expected(name: &str, what: &str, found: &Value) -> Refusal {
    Refusal::of(name, "invalid_value", format!("{name}: expected {what}, found {found}"))
}

/// A field that is a text. Of an object without it, it's null.
fn text<'b>(
    name: &str,
    object: &'b Map<String, Value>,
    field: &str,
) -> Result<&'b str, Refusal> {
    let value = object.get(field).unwrap_or(&Value::Null);
    value.as_str().ok_or_else(|| expected(&format!("{name}.{field}"), "a text", value))
}

pub fn format(body: &Body) -> Result<Option<Format>, Refusal> {
    let name = "response_format";
    let value = value(name, &body.response_format)?;
    value.map(|value| format_of(name, value)).transpose()
}

fn format_of(name: &str, value: &Value) -> Result<Format, Refusal> {
    let format = object(name, value, "type json_schema")?;
    match (text(name, format, "type")?, format.get("json_schema")) {
        ("text", None) => Ok(Format::Text),
        ("json_object", None) => Ok(Format::Json),
        ("json_schema", Some(value)) => {
            let name = "response_format.json_schema";
            let named = object(name, value, "name description schema strict")?;
            function_name(name, named)?;
            let schema = named.get("schema").unwrap_or(&Value::Null);
            match schema.is_object() {
                true => Ok(Format::Schema(schema.clone())),
                false => Err(expected(&format!("{name}.schema"), "an object", schema)),
            }
        }
        _ => {
            let what = "text, json_object, or json_schema with a json_schema beside it";
            Err(expected("response_format.type", what, &format["type"]))
        }
    }
}

/// The name of a function or a schema, which OpenAI lets consist of these characters.
fn function_name<'b>(name: &str, object: &'b Map<String, Value>) -> Result<&'b str, Refusal> {
    let text = text(name, object, "name")?;
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    match (1..=64).contains(&text.len()) && text.bytes().all(is_plain) {
        true => Ok(text),
        false => {
            let what = "1 to 64 letters, digits, _ or -";
            Err(expected(&format!("{name}.name"), what, &object["name"]))
        }
    }
}

/// None, if neither the request nor its messages have to do with tools.
pub fn tools(body: &Body, messages: &[Message]) -> Result<Option<Tools>, Refusal> {
    let list = value("tools", &body.tools)?;
    let is_list = |list: &Value| list.as_array().is_some_and(|list| list.len() <= TOOLS);
    if let Some(list) = list.filter(|list| !is_list(list)) {
        return Err(expected("tools", &format!("a list of at most {TOOLS}"), list));
    }
    let mut offered = list.and_then(Value::as_array).cloned().unwrap_or_default();
    let mut callable: Vec<Tool> = Vec::new();
    for (at, value) in offered.iter().enumerate() {
        let tool = tool(at, value)?;
        if callable.iter().any(|other| other.name == tool.name) {
            let message = format!("tools[{at}]: {} is there twice", tool.name);
            return Err(Refusal::of("tools", "invalid_value", message));
        }
        callable.push(tool);
    }
    let must = choose(body, &mut callable)?;
    if callable.is_empty() {
        offered.clear(); // which it is not to use
    }
    let parallel = value("parallel_tool_calls", &body.parallel_tool_calls)?;
    let parallel = parallel.is_none_or(|parallel| parallel == true);
    let said = body.messages.as_deref().unwrap_or_default();
    let called = said.iter().any(|said| said.0.role == "tool" || said.calls().next().is_some());
    if offered.is_empty() && !called {
        return Ok(None);
    }
    Ok(Some(Tools {
        offered,
        callable,
        must,
        parallel,
        messages: conversation(said, messages)?,
    }))
}

fn tool(place: usize, value: &Value) -> Result<Tool, Refusal> {
    let name = format!("tools[{place}]");
    let tool = object(&name, value, "type function")?;
    if tool.get("type").is_none_or(|kind| kind != "function") {
        return Err(expected(&format!("{name}.type"), "function", &value["type"]));
    }
    let name = format!("{name}.function");
    let value = &value["function"];
    let function = object(&name, value, "name description parameters strict")?;
    let none = json!({ "type": "object", "properties": {}, "additionalProperties": false });
    let given = function.get("parameters").filter(|given| **given != json!({}));
    let parameters = given.unwrap_or(&none);
    if parameters["type"] != "object" {
        let name = format!("{name}.parameters.type");
        return Err(expected(&name, "object", &parameters["type"]));
    }
    let name = function_name(&name, function)?.into();
    Ok(Tool { place, name, parameters: parameters.clone() })
}

/// Leaves those that may be called, and says whether one of them must be.
fn choose(body: &Body, callable: &mut Vec<Tool>) -> Result<bool, Refusal> {
    let name = "tool_choice";
    let choice = value(name, &body.tool_choice)?.cloned().unwrap_or("auto".into());
    match choice.as_str() {
        Some("auto") => return Ok(false),
        Some("none") => {
            callable.clear();
            return Ok(false);
        }
        Some("required") => {}
        _ => {
            let what = "auto, none, required, or a function by its name";
            let function = choice.get("function").filter(|_| choice["type"] == "function");
            let function = function.and_then(|function| function["name"].as_str());
            let function = function.ok_or_else(|| expected(name, what, &choice))?;
            callable.retain(|tool| tool.name == function);
        }
    }
    match callable.is_empty() {
        true => Err(expected(name, "a tool that is offered", &choice)),
        false => Ok(true),
    }
}

/// The messages with their calls, as templates know them: arguments are objects. Each result answers a call.
fn conversation(said: &[With<Said>], messages: &[Message]) -> Result<Vec<Value>, Refusal> {
    let (mut ids, mut all) = (BTreeSet::new(), Vec::new());
    for (at, (said, message)) in said.iter().zip(messages).enumerate() {
        let mut value = json!(message);
        let calls = said.calls().map(|call| {
            ids.insert(call.id.as_str());
            let Called { name, arguments } = &call.function;
            let object = serde_json::from_str::<Map<String, Value>>(arguments);
            let arguments = object.map_or_else(|_| json!(arguments), Value::Object);
            json!({ "id": call.id, "type": "function",
                "function": { "name": name, "arguments": arguments } })
        });
        let calls: Vec<Value> = calls.collect();
        if !calls.is_empty() {
            value["tool_calls"] = calls.into();
        }
        if message.role == "tool" {
            let id = said.0.tool_call_id.as_deref().unwrap_or_default();
            if !ids.contains(id) {
                let name = format!("messages[{at}].tool_call_id");
                return Err(expected(&name, "the id of a call before it", &id.into()));
            }
            value["tool_call_id"] = id.into();
        }
        all.push(value);
    }
    Ok(all)
}
