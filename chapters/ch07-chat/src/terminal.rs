use std::io::{self, BufRead, IsTerminal, Write};

use ground::error::Error;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use crate::progress::is_dumb;
use crate::thought::Part;

/// What standard input says next.
pub enum Line {
    Text(String),
    Interrupted, // by Ctrl-C
    End,         // by Ctrl-D, or of the pipe
}

/// Standard input and standard output: each of them is a terminal or a pipe.
pub struct Terminal {
    /// Whether somebody types.
    pub typed: bool,
    shown: bool, // output is a terminal
    dims: bool,  // and can be told to dim a text
    editor: Option<Editor<(), MemHistory>>,
}

impl Terminal {
    pub fn new() -> Result<Terminal, Error> {
        let (typed, shown) = (io::stdin().is_terminal(), io::stdout().is_terminal());
        let obeys = shown && !is_dumb();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        // Editing moves the cursor: that takes a terminal at both ends.
        let editor = (typed && obeys)
            .then(|| Editor::with_history(Config::default(), MemHistory::new()))
            .transpose()
            .map_err(failed)?;
        Ok(Terminal { typed, shown, dims: obeys && !plain, editor })
    }

    /// The next text. A line that is typed goes on in the next one if it ends with a `\`.
    pub fn read(&mut self) -> Result<Line, Error> {
        let mut text = String::new();
        loop {
            let prompt = if text.is_empty() { "> " } else { ". " };
            let line = match self.line(prompt)? {
                Line::Text(line) => line,
                other => return Ok(other),
            };
            let begun = line.strip_suffix('\\').filter(|_| self.typed);
            text.push_str(begun.unwrap_or(&line));
            if begun.is_none() {
                break;
            }
            text.push('\n');
        }
        if let Some(editor) = &mut self.editor {
            editor.add_history_entry(&text).map_err(failed)?;
        }
        Ok(Line::Text(text))
    }

    fn line(&mut self, prompt: &str) -> Result<Line, Error> {
        let Some(editor) = &mut self.editor else { return self.plain_line(prompt) };
        match editor.readline(prompt) {
            Ok(text) => Ok(Line::Text(text)),
            Err(ReadlineError::Interrupted) => Ok(Line::Interrupted),
            Err(ReadlineError::Eof) => Ok(Line::End),
            Err(error) => Err(failed(error)),
        }
    }

    /// Without editing. The prompt is nothing for a pipe to see.
    fn plain_line(&self, prompt: &str) -> Result<Line, Error> {
        if self.typed {
            write!(io::stderr(), "{prompt}")?;
        }
        let mut bytes = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            return Ok(Line::End);
        }
        let text = String::from_utf8_lossy(&bytes);
        Ok(Line::Text(text.trim_end_matches(['\r', '\n']).into()))
    }

    /// Prints a part of an answer. A pipe gets it as it is; a terminal must not obey the model.
    pub fn print(&self, (text, thought): &Part) -> io::Result<()> {
        let mut out = io::stdout().lock();
        if !self.shown {
            write!(out, "{text}")?;
        } else if self.dims && *thought {
            // Each part for itself: wherever the answer ends, the terminal is as it was.
            write!(out, "\x1b[2m{}\x1b[0m", visible(text))?;
        } else {
            write!(out, "{}", visible(text))?;
        }
        out.flush()
    }
}

fn failed(error: ReadlineError) -> Error {
    match error {
        ReadlineError::Io(error) => error.into(),
        error => io::Error::other(error).into(),
    }
}

/// The text, with what a terminal would obey written out: all but the end of a line and a tab.
pub fn visible(text: &str) -> String {
    let mut visible = String::new();
    for character in text.chars() {
        if character.is_control() && !matches!(character, '\n' | '\t') {
            visible.extend(character.escape_default());
        } else {
            visible.push(character);
        }
    }
    visible
}
