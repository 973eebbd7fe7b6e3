//! OpenAI's protocol, as far as this course speaks it: which bodies are understood and which are refused, and the
//! shapes of an answer. It knows nothing of sockets, and nothing of engines.

mod answer;
mod read_json;
mod refusal;
mod request_body;
mod tokenize_and_models;
mod validated_request;

pub use answer::{Form, Told};
pub use refusal::Refusal;
pub use tokenize_and_models::{Text, decoded, model, models};
pub use validated_request::{Prompt, ValidatedRequest};

/// The protocol in the form that machines read.
pub const DESCRIPTION: &str = include_str!("../openapi.json");
