//! `encode-lines`, `render-chats`: what the scripts in `lab/reference` ask, to hold our tokenizer
//! and our chat templates against other programs. A question and its answer are a line of JSON
//! each.

use std::io::{self, Write};
use std::path::PathBuf;

use catalog::error::problem_at;
use ground::chat::{Message, render};
use ground::error::Error;
use ground::tokenizer::Tokenizer;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

/// The file that the questions are about.
#[derive(clap::Args)]
pub struct Args {
    file: PathBuf,
}

/// A text gives its ids, with and without special tokens, and the text that the ids give back.
pub fn encode_lines(args: &Args) -> Result<(), Error> {
    let tokenizer = Tokenizer::from_gguf(&ground::cli::open_model(Some(&args.file))?)?;
    answer(|text: String| {
        let ids = tokenizer.encode(&text)?;
        let plain = tokenizer.encode_plain(&text)?;
        let decoded = tokenizer.decode(&ids)?;
        Ok(json!({ "ids": ids, "ids_plain": plain, "decoded": decoded }))
    })
}

/// As in `tests/fixtures/chat/cases.json`.
#[derive(Deserialize)]
struct Case {
    messages: Vec<Message>,
    enable_thinking: bool,
    add_generation_prompt: bool,
}

/// A conversation gives its text. The file is the template alone.
pub fn render_chats(args: &Args) -> Result<(), Error> {
    let wrong = |error: io::Error| problem_at(&args.file, error);
    let template = std::fs::read_to_string(&args.file).map_err(wrong)?;
    answer(|case: Case| {
        let Case { messages, enable_thinking, add_generation_prompt } = case;
        Ok(render(&template, &messages, enable_thinking, add_generation_prompt)?.into())
    })
}

fn answer<T: DeserializeOwned>(
    mut one: impl FnMut(T) -> Result<Value, Error>,
) -> Result<(), Error> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    for (line, number) in io::stdin().lines().zip(1..) {
        let wrong = |error| Error::chapter(format!("line {number} of the input: {error}"));
        let question = serde_json::from_str(&line?).map_err(wrong)?;
        writeln!(out, "{}", one(question)?)?;
    }
    Ok(out.flush()?)
}
