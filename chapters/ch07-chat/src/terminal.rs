use std::io::{self, BufRead, IsTerminal, Write};

use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{Config, Editor};

use crate::progress::is_dumb;
use crate::thought::Part;

/// Standard input and standard output: each of them is a terminal or a pipe.
pub struct Terminal {
    /// Whether somebody types.
    pub typed: bool,
    shown: bool, // output is a terminal
    dims: bool,  // and can be told to dim a text
    editor: Option<Editor<(), MemHistory>>,
}

impl Terminal {
    pub fn new() -> Result<Terminal, ReadlineError> {
        let (typed, shown) = (io::stdin().is_terminal(), io::stdout().is_terminal());
        let obeys = shown && !is_dumb();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        // Editing moves the cursor: that takes a terminal at both ends.
        let editor = (typed && obeys)
            .then(|| Editor::with_history(Config::default(), MemHistory::new()))
            .transpose()?;
        Ok(Terminal { typed, shown, dims: obeys && !plain, editor })
    }

    /// The next text. A line that is typed goes on in the next one if it ends with a `\`.
    pub fn read(&mut self) -> Result<String, ReadlineError> {
        let mut text = String::new();
        loop {
            let prompt = if text.is_empty() { "> " } else { ". " };
            let line = match &mut self.editor {
                Some(editor) => editor.readline(prompt)?,
                None => self.plain_line(prompt)?,
            };
            let Some(begun) = line.strip_suffix('\\').filter(|_| self.typed) else {
                text.push_str(&line);
                break;
            };
            text.extend([begun, "\n"]);
        }
        if let Some(editor) = &mut self.editor {
            editor.add_history_entry(&text)?;
        }
        Ok(text)
    }

    /// Without an editor. The prompt is not for the pipe that answers may go to.
    fn plain_line(&self, prompt: &str) -> Result<String, ReadlineError> {
        if self.typed {
            write!(io::stderr(), "{prompt}")?;
        }
        let mut bytes = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            return Err(ReadlineError::Eof);
        }
        Ok(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).into())
    }

    /// Prints a part of an answer. A pipe gets it as it is; a terminal must not obey the model.
    pub fn print(&self, (text, thought): &Part) -> io::Result<()> {
        let text = if self.shown { visible(text) } else { text.clone() };
        // Each part for itself: wherever the answer ends, the terminal is as it was.
        let (dim, plain) =
            if self.dims && *thought { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        let mut out = io::stdout().lock();
        write!(out, "{dim}{text}{plain}")?;
        out.flush()
    }
}

/// The text, with what a terminal would obey written out: all but the end of a line and a tab.
pub fn visible(text: &str) -> String {
    // These only turn the direction of writing, and with it what a line seems to say.
    let turns = |c: char| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let obeyed = |c: char| turns(c) || c.is_control() && c != '\n' && c != '\t';
    let written = |c: char| if obeyed(c) { c.escape_default().to_string() } else { c.into() };
    text.chars().map(written).collect()
}
