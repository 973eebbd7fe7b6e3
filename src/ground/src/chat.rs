//! A conversation to the text that the model knows, by the template in the model's file.

mod program;
mod work;

use minijinja::machinery::{Instructions, eval, make_string_output};
use minijinja::value::{Serde, Value};
use minijinja::{AutoEscape, Environment, ErrorKind, context, filters, tests};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;
use serde_json::ser::{Formatter, Serializer};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::error::Error;
use crate::gguf::Gguf;
use crate::text::{NAME, one_line};
use crate::tokenizer::Tokenizer;
use work::Work;

// A template is a program out of a file: it gets steps and bytes in proportion to the conversation.
const STEPS: u64 = 200_000;
const STEPS_PER_MESSAGE: u64 = 3_000;
const WORK: usize = 16 << 20;
const WORK_PER_BYTE: usize = 100;

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
    #[error("the chat template of the model's file failed: {}", one_line(reason, 300))]
    Template { reason: String },
    #[error("the chat template of the model's file {problem}")]
    Shape { problem: String },
    #[error("the chat template of the model's file did not end within {steps} steps: it loops")]
    Endless { steps: u64 },
    #[error("the chat template of the model's file wants to work on more than {bytes} bytes")]
    TooMuch { bytes: usize },
    #[error(
        "the chat template of the model's file puts \"{}\" together from parts: write it in one",
        one_line(name, NAME)
    )]
    Assembled { name: String },
}

impl From<minijinja::Error> for ChatError {
    fn from(error: minijinja::Error) -> ChatError {
        ChatError::Template { reason: error.to_string() }
    }
}

/// Stands in front of a control token that the template writes. For Unicode it is no character and never will be.
const MARK: char = '\u{fdd0}';

/// A model's chat template, compiled once.
pub struct ChatTemplate<'a> {
    program: Instructions<'a>,
    begin: String, // what templates call `bos_token`
    /// Whether it writes calls of tools between `<tool_call>` and `</tool_call>`.
    pub has_tools: bool,
    tokenizer: &'a Tokenizer,
}

impl<'a> ChatTemplate<'a> {
    /// The one that a file has.
    pub fn of(file: &'a Gguf, tokenizer: &'a Tokenizer) -> Result<ChatTemplate<'a>, Error> {
        Ok(ChatTemplate::new(file.text("tokenizer.chat_template")?, tokenizer)?)
    }

    /// Compiles a template for a model with this tokenizer.
    pub fn new(source: &'a str, tokenizer: &'a Tokenizer) -> Result<Self, ChatError> {
        let marked = |text: &str| tokenizer.marked(&without_mark(text), MARK);
        let program = program::compile(source, &Work::new(WORK), &marked)?;
        let begin = tokenizer.begin().map_or(String::new(), |name| marked(&name));
        let has_tools = ["tools", "<tool_call>"].iter().all(|word| source.contains(word));
        Ok(ChatTemplate { program, begin, has_tools, tokenizer })
    }

    /// A conversation, up to where the next answer begins if it is `asked` for.
    pub fn render<'m>(
        &self,
        messages: &'m [Message],
        thinking: bool,
        asked: bool,
    ) -> Result<Rendered<'m>, ChatError> {
        let begin = self.begin.as_str();
        let is_marked = |message: &Message| {
            [&message.role, &message.content].iter().any(|text| text.contains(MARK))
        };
        let text = match messages.iter().any(is_marked) {
            false => {
                run(&self.program, (messages, &[]), size(messages), thinking, asked, begin)?
            }
            true => {
                let messages = messages.iter().map(|Message { role, content }| Message {
                    role: without_mark(role),
                    content: without_mark(content),
                });
                let messages: Vec<_> = messages.collect();
                run(&self.program, (&messages, &[]), size(&messages), thinking, asked, begin)?
            }
        };
        Ok(Rendered { text, messages, json: String::new() })
    }

    /// The same of messages with more fields than a role and a content, such as `tool_calls`, and with tools that may be called.
    pub fn render_tools(
        &self,
        messages: &[Json],
        tools: &[Json],
        thinking: bool,
        asked: bool,
    ) -> Result<Rendered<'static>, ChatError> {
        let json: String = messages.iter().chain(tools).map(Json::to_string).collect();
        if json.contains(MARK) {
            return Err(ChatError::Template { reason: "U+FDD0 is no character".into() });
        }
        let all = (messages, tools);
        let text = run(&self.program, all, json.len(), thinking, asked, &self.begin)?;
        Ok(Rendered { text, messages: &[], json })
    }

    /// The ids of a rendered conversation. A control token comes from the template alone: its name in a message is characters.
    pub fn encode(&self, rendered: &Rendered) -> Result<Vec<u32>, Error> {
        let mut found = BTreeSet::new();
        let note = |name| _ = found.insert(name);
        let ids = self.tokenizer.encode_marked(&rendered.text, MARK, note)?;
        let said = |name: &str| {
            rendered.messages.iter().any(|said| said.content.contains(name))
                || rendered.json.contains(name)
        };
        match found.into_iter().find(|name| !said(name)) {
            Some(name) => Err(ChatError::Assembled { name: name.into() }.into()),
            None => Ok(ids),
        }
    }
}

/// A conversation as the template writes it, with a mark where it writes a control token.
pub struct Rendered<'m> {
    text: String,
    messages: &'m [Message],
    json: String, // or these and tools
}

impl Rendered<'_> {
    /// The text that the ids stand for.
    pub fn text(&self) -> String {
        self.text.replace(MARK, "")
    }
}

fn without_mark(text: &str) -> String {
    text.replace(MARK, "\u{fffd}")
}

/// Renders a conversation as the reference does, with `thinking` for `enable_thinking`.
pub fn render(
    template: &str,
    messages: &[Message],
    thinking: bool,
    add_generation_prompt: bool,
) -> Result<String, ChatError> {
    let program = program::compile(template, &Work::new(WORK), &str::to_owned)?;
    run(&program, (messages, &[]), size(messages), thinking, add_generation_prompt, "")
}

fn size(messages: &[Message]) -> usize {
    messages.iter().map(|m| m.role.len() + m.content.len()).sum()
}

fn run<M: Serialize>(
    program: &Instructions,
    (messages, tools): (&[M], &[Json]),
    said: usize,
    thinking: bool,
    add_generation_prompt: bool,
    bos_token: &str,
) -> Result<String, ChatError> {
    let steps = STEPS + STEPS_PER_MESSAGE * (messages.len() + tools.len()) as u64;
    let bytes = said.saturating_mul(WORK_PER_BYTE).saturating_add(WORK);
    let mut environment = environment();
    environment.set_fuel(Some(steps));
    let work = Work::new(bytes);
    work.watch(&mut environment);

    let context = context! {
        messages => Serde(messages),
        tools => (!tools.is_empty()).then_some(Serde(tools)),
        add_generation_prompt,
        bos_token,
        enable_thinking => thinking,
    };
    let mut text = String::new();
    let mut output = make_string_output(&mut text);
    let blocks = BTreeMap::new();
    match eval(&environment, program, context, &blocks, &mut output, AutoEscape::None) {
        Ok(_) => Ok(text),
        Err(error) if error.kind() == ErrorKind::OutOfFuel => Err(ChatError::Endless { steps }),
        Err(error) => Err(work.error(error)),
    }
}

/// What chat templates use of Jinja and of Python, and no more.
fn environment() -> Environment<'static> {
    let mut environment = Environment::empty();
    environment
        .set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
    environment.add_filter("tojson", to_json);
    environment.add_filter("trim", filters::trim);
    environment.add_filter("replace", filters::replace);
    environment.add_filter("join", filters::join);
    environment.add_filter("length", filters::length);
    environment.add_filter("count", filters::length);
    environment.add_filter("default", filters::default);
    environment.add_filter("d", filters::default);
    environment.add_filter("string", filters::string);
    environment.add_filter("safe", filters::safe);
    environment.add_filter("upper", filters::upper);
    environment.add_filter("lower", filters::lower);
    environment.add_filter("title", filters::title);
    environment.add_filter("capitalize", filters::capitalize);
    environment.add_filter("list", filters::list);
    environment.add_filter("items", filters::items);
    environment.add_filter("first", filters::first);
    environment.add_filter("last", filters::last);
    environment.add_test("defined", tests::is_defined);
    environment.add_test("undefined", tests::is_undefined);
    environment.add_test("none", tests::is_none);
    environment.add_test("true", tests::is_true);
    environment.add_test("false", tests::is_false);
    environment.add_test("boolean", tests::is_boolean);
    environment.add_test("number", tests::is_number);
    environment.add_test("integer", tests::is_integer);
    environment.add_test("float", tests::is_float);
    environment.add_test("odd", tests::is_odd);
    environment.add_test("even", tests::is_even);
    environment.add_test("string", tests::is_string);
    environment.add_test("sequence", tests::is_sequence);
    environment.add_test("iterable", tests::is_iterable);
    environment.add_test("mapping", tests::is_mapping);
    environment
}

/// The engine's own `tojson` is for web pages and escapes `<>&'`; the reference's is Python's.
fn to_json(value: Value) -> Result<String, minijinja::Error> {
    let mut json = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut json, PythonSpacing)).map_err(
        |error| minijinja::Error::new(ErrorKind::BadSerialization, error.to_string()),
    )?;
    Ok(String::from_utf8_lossy(&json).into_owned())
}

/// A space after each comma and colon.
pub struct PythonSpacing;

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
