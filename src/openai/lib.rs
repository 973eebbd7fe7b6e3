//! OpenAI's protocol, as far as this course speaks it: which bodies are understood and which are refused, and the
//! shapes of an answer. It knows nothing of sockets, and nothing of engines.

mod answer;
mod ask;
mod other;
mod refuse;
mod wish;

pub use answer::{Form, Guesses, Step, Token, Told};
pub use other::{Text, decoded, model, models};
pub use refuse::Refusal;
pub use wish::{Prompt, Wish};

/// The protocol in the form that machines read.
pub const DESCRIPTION: &str = include_str!("openapi.json");
