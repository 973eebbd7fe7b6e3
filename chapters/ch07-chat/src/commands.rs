use std::path::PathBuf;
use std::str::FromStr;

use ground::sample::SampleError;
use ground::text::{NAME, one_line};

use crate::conversation::Settings;

/// How each command is written, and what it does.
pub const COMMANDS: [(&str, &str); 9] = [
    ("/help", "this list"),
    ("/reset", "forget all questions and answers"),
    ("/undo", "take back the last question and its answer"),
    ("/stats", "what every turn cost, and how full the context is"),
    ("/think on|off", "whether the model may think before it answers"),
    ("/set [NAME VALUE]", "change a setting; alone, show all of them"),
    ("/save FILE", "write the conversation to a file"),
    ("/load FILE", "go on with a conversation from a file"),
    ("/quit", "leave"),
];

/// What a line asks for.
#[derive(Debug, PartialEq)]
pub enum Input {
    Question(String),
    Help,
    Reset,
    Undo,
    Stats,
    Think(bool),
    Settings,
    Set(String, String),
    Save(PathBuf),
    Load(PathBuf),
    Quit,
}

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum CommandError {
    #[error(
        "there is no command {}: there are {}; // begins a question with a /",
        one_line(found, NAME),
        COMMANDS.map(|(usage, _)| name(usage)).join(" ")
    )]
    Unknown { found: String },
    #[error("this command is written {usage}")]
    Usage { usage: &'static str },
    #[error(
        "there is no setting {}: there are temperature, top-k, top-p, repetition-penalty, seed, \
         max-new-tokens",
        one_line(found, NAME)
    )]
    Setting { found: String },
    #[error("{name} takes a number, not {}", one_line(found, NAME))]
    Value { name: String, found: String },
    #[error(transparent)]
    Sampling(#[from] SampleError),
}

/// A line that begins with / is a command; with // it is a question that begins with one.
pub fn parse(line: &str) -> Result<Input, CommandError> {
    if !line.starts_with('/') || line.starts_with("//") {
        let escaped = line.starts_with("//");
        return Ok(Input::Question(line[usize::from(escaped)..].into()));
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    let found = words[0];
    let Some((usage, _)) = COMMANDS.into_iter().find(|(usage, _)| name(usage) == found) else {
        return Err(CommandError::Unknown { found: found.into() });
    };
    // A file's name may have spaces in it.
    let file = PathBuf::from(line[found.len()..].trim());
    Ok(match words[..] {
        ["/help"] => Input::Help,
        ["/reset"] => Input::Reset,
        ["/undo"] => Input::Undo,
        ["/stats"] => Input::Stats,
        ["/think", "on"] => Input::Think(true),
        ["/think", "off"] => Input::Think(false),
        ["/set"] => Input::Settings,
        ["/set", name, value] => Input::Set(name.into(), value.into()),
        ["/save", _, ..] => Input::Save(file),
        ["/load", _, ..] => Input::Load(file),
        ["/quit"] => Input::Quit,
        _ => return Err(CommandError::Usage { usage }),
    })
}

fn name(usage: &str) -> &str {
    usage.split(' ').next().unwrap_or(usage)
}

/// All settings as `/set` shows them.
pub fn shown(settings: &Settings) -> String {
    let sampling = &settings.sampling;
    format!(
        "temperature {}, top-k {}, top-p {}, repetition-penalty {}, seed {}, max-new-tokens {}",
        sampling.temperature,
        sampling.top_k,
        sampling.top_p,
        sampling.repetition_penalty,
        sampling.seed,
        settings.max_new_tokens.map_or("none".into(), |tokens| tokens.to_string()),
    )
}

/// Changes one setting, or none if the value makes no sense.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), CommandError> {
    let mut sampling = settings.sampling.clone();
    match name {
        "temperature" => sampling.temperature = number(name, value)?,
        "top-k" => sampling.top_k = number(name, value)?,
        "top-p" => sampling.top_p = number(name, value)?,
        "repetition-penalty" => sampling.repetition_penalty = number(name, value)?,
        "seed" => sampling.seed = number(name, value)?,
        "max-new-tokens" if value == "none" => settings.max_new_tokens = None,
        "max-new-tokens" => settings.max_new_tokens = Some(number(name, value)?),
        _ => return Err(CommandError::Setting { found: name.into() }),
    }
    sampling.check()?;
    settings.sampling = sampling;
    Ok(())
}

fn number<T: FromStr>(name: &str, value: &str) -> Result<T, CommandError> {
    value.parse().map_err(|_| CommandError::Value { name: name.into(), found: value.into() })
}
