//! A conversation to the text that the model knows, by the template in the model's file.

use minijinja::syntax::SyntaxConfig;
use minijinja::value::{Serde, Value};
use minijinja::{Environment, Error, ErrorKind, context};
use serde::{Deserialize, Serialize};
use serde_json::ser::{Formatter, Serializer};
use std::io::{self, Write};

// A template is a program out of a file: it gets steps in proportion to the conversation, and may
// write only so much.
const STEPS: u64 = 100_000;
const STEPS_PER_MESSAGE: u64 = 1_000;
const MOST_BYTES: usize = 64 << 20;

/// One turn of a conversation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Message {
    /// "system", "user" or "assistant".
    pub role: String,
    /// What was said.
    pub content: String,
}

/// Why a conversation cannot be rendered.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum ChatError {
    #[error("the chat template of the model's file failed: {0}")]
    Template(#[from] Error),
    #[error("the chat template of the model's file did not end within {steps} steps: it loops")]
    Endless { steps: u64 },
    #[error("the chat template of the model's file wrote more than {MOST_BYTES} bytes")]
    TooLong,
}

/// Renders a conversation as the reference does, with `thinking` for `enable_thinking`.
pub fn render(
    template: &str,
    messages: &[Message],
    thinking: bool,
    add_generation_prompt: bool,
) -> Result<String, ChatError> {
    let steps = STEPS + STEPS_PER_MESSAGE * messages.len() as u64;
    let mut environment = Environment::new();
    environment
        .set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
    environment.set_fuel(Some(steps));
    environment
        .set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_filter("tojson", to_json);
    environment.add_function("raise_exception", raise_exception);

    let template = environment.template_from_str(template)?;
    let context = context! {
        messages => Serde(messages),
        add_generation_prompt,
        enable_thinking => thinking,
    };
    let mut page = Page(Vec::new());
    match template.render_captured_to(context, &mut page) {
        Ok(_) => Ok(String::from_utf8_lossy(&page.0).into_owned()),
        Err(error) if error.kind() == ErrorKind::OutOfFuel => Err(ChatError::Endless { steps }),
        Err(error) if error.kind() == ErrorKind::WriteFailure => Err(ChatError::TooLong),
        Err(error) => Err(error.into()),
    }
}

/// What a template has written so far: a writer that refuses to go on for ever.
struct Page(Vec<u8>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if bytes.len() > MOST_BYTES - self.0.len() {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How a template says no to a conversation.
fn raise_exception(reason: String) -> Result<Value, Error> {
    Err(Error::new(ErrorKind::InvalidOperation, reason))
}

/// The engine's own `tojson` is for web pages and escapes `<>&'`; the reference's is Python's.
fn to_json(value: Value) -> Result<String, Error> {
    let mut json = Vec::new();
    value
        .serialize(&mut Serializer::with_formatter(&mut json, PythonSpacing))
        .map_err(|error| Error::new(ErrorKind::BadSerialization, error.to_string()))?;
    Ok(String::from_utf8_lossy(&json).into_owned())
}

struct PythonSpacing;

impl Formatter for PythonSpacing {
    fn begin_array_value<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_key<W: ?Sized + Write>(
        &mut self,
        out: &mut W,
        first: bool,
    ) -> io::Result<()> {
        out.write_all(if first { b"" } else { b", " })
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(b": ")
    }
}
