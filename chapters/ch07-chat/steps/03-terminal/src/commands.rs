use ground::error::Error;
use ground::text::{NAME, one_line};

use crate::conversation::Settings;

/// How each command is written, and what it does.
pub const COMMANDS: [(&str, &str); 7] = [
    ("/help", "this list"),
    ("/reset", "forget all questions and answers"),
    ("/undo", "take back the last question and its answer"),
    ("/stats", "what each turn cost, and how full the context is"),
    ("/think on|off", "whether the model may think before it answers"),
    ("/set [NAME VALUE]", "change a setting; alone, show all of them"),
    ("/quit", "leave"),
];

#[derive(Debug, PartialEq, thiserror::Error)]
pub enum CommandError {
    #[error(
        "{} is no command: there are {}; // begins a question with a /",
        one_line(found, NAME),
        COMMANDS.map(|(usage, _)| usage).join(", ")
    )]
    Unknown { found: String },
    #[error(
        "expected temperature, top-k, top-p, repetition-penalty, seed or max-new-tokens, and a number, \
         found {}",
        one_line(found, NAME)
    )]
    Setting { found: String },
}

pub fn help() -> String {
    let list = COMMANDS.map(|(usage, meaning)| format!("{usage:18} {meaning}\n")).concat();
    list + "A line that ends with \\ goes on in the next one. Ctrl-C ends an answer."
}

/// Changes one setting, or none if the value makes no sense.
pub fn set(settings: &mut Settings, name: &str, value: &str) -> Result<(), Error> {
    let mut new = settings.clone();
    change(&mut new, name, value).ok_or_else(|| {
        Error::chapter(CommandError::Setting { found: format!("{name} {value}") })
    })?;
    new.sampling.check()?;
    *settings = new;
    Ok(())
}

fn change(settings: &mut Settings, name: &str, value: &str) -> Option<()> {
    let sampling = &mut settings.sampling;
    match name {
        "temperature" => sampling.temperature = value.parse().ok()?,
        "top-k" => sampling.top_k = value.parse().ok()?,
        "top-p" => sampling.top_p = value.parse().ok()?,
        "repetition-penalty" => sampling.repetition_penalty = value.parse().ok()?,
        "seed" => sampling.seed = value.parse().ok()?,
        "max-new-tokens" if value == "none" => settings.max_new_tokens = None,
        "max-new-tokens" => settings.max_new_tokens = Some(value.parse().ok()?),
        _ => return None,
    }
    Some(())
}

/// All that `set` can change.
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
