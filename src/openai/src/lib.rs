//! OpenAI's protocol, as far as this course speaks it: which bodies are understood and which are refused, and the
//! shapes of an answer; and what else one finds at such a server's port: a page, figures for its operator, the checks of a request's
//! head. It knows nothing of sockets, and nothing of engines.

mod answer;
mod calls;
pub mod http;
pub mod log;
mod metrics;
mod read_json;
mod refusal;
mod request_body;
mod signal;
mod tokenize_and_models;
mod tools;
mod validated_request;

use serde_json::Value;

pub use answer::{Form, Told};
pub use metrics::{Stopwatch, metrics};
pub use refusal::Refusal;
pub use signal::signal;
pub use tokenize_and_models::{Text, decoded, greeting, model, models, not_bound, request_id};
pub use tools::{Conversation, Tools};
pub use validated_request::{Prompt, ValidatedRequest};

/// A page on which somebody talks with the model.
const PAGE: &str = include_str!("page.html");

/// What it may do: it loads nothing from elsewhere.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'";

/// The protocol in the form that machines read.
pub const DESCRIPTION: &str = include_str!("../openapi.json");

/// The same of a server that holds answers to schemas and calls tools.
pub fn structured_description() -> Value {
    let read = |text| serde_json::from_str::<Value>(text).expect("we wrote it");
    let mut all = read(DESCRIPTION);
    let more = read(include_str!("../openapi.structured.json"));
    merge(&mut all["components"]["schemas"], more);
    all
}

/// What the second object says replaces what the first one says, but objects, which are merged. Null takes away.
fn merge(all: &mut Value, more: Value) {
    let (Some(fields), Value::Object(more)) = (all.as_object_mut(), more) else { return };
    for (name, value) in more {
        match fields.get_mut(&name) {
            _ if value.is_null() => drop(fields.remove(&name)),
            Some(old) if old.is_object() && value.is_object() => merge(old, value),
            _ => drop(fields.insert(name, value)),
        }
    }
}
