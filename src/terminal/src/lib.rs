//! Who asks: a person at a terminal, or a pipe. A package of its own, because only chapters that talk need what
//! it is built on.

use std::cell::RefCell;
use std::io::{self, BufRead, ErrorKind, IsTerminal, Write};

use ground::text::visible;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};

#[cfg(unix)]
mod unix;

/// Standard input and standard output: each of them is a terminal or a pipe.
pub struct Terminal {
    /// Whether somebody types.
    pub typed: bool,
    shown: bool, // output is a terminal
    dims: bool,  // and can be told to dim a text
    editor: Option<Editor<Seen, MemHistory>>,
}

/// What there is to read.
#[derive(Debug, PartialEq, Eq)]
pub enum Input {
    /// A text: of more than one line where somebody typed it so.
    Text(String),
    /// Ctrl-C, in place of a text.
    Interrupted,
    /// There will be no more.
    End,
}

impl Terminal {
    /// `dumb`: whether a terminal only prints. It is not edited on, and gets no codes.
    pub fn new(dumb: bool) -> io::Result<Terminal> {
        let (typed, shown) = (io::stdin().is_terminal(), io::stdout().is_terminal());
        let obeys = shown && !dumb;
        let plain = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        // Editing moves the cursor: that takes a terminal at both ends.
        let mut editor = None;
        if typed && obeys {
            #[cfg(unix)]
            unix::restore_at_the_end()?;
            let new = Editor::with_history(Config::default(), MemHistory::new());
            let new = editor.insert(new.map_err(io::Error::other)?);
            new.set_helper(Some(Seen::default()));
        }
        Ok(Terminal { typed, shown, dims: obeys && !plain, editor })
    }

    /// The next text. A line that is typed goes on in the next one if it ends with a `\`. `interrupted` tells
    /// of a Ctrl-C that came as a signal, as it does where there is no editor.
    pub fn read(&mut self, interrupted: impl Fn() -> bool) -> io::Result<Input> {
        let mut text = String::new();
        loop {
            let prompt = if text.is_empty() { "> " } else { ". " };
            let line = match &mut self.editor {
                Some(editor) => edited(editor, prompt)?,
                None => self.plain_line(prompt, &interrupted)?,
            };
            let Input::Text(line) = line else { return Ok(line) };
            let Some(begun) = line.strip_suffix('\\').filter(|_| self.typed) else {
                text.push_str(&line);
                break;
            };
            text.extend([begun, "\n"]);
        }
        if let Some(editor) = &mut self.editor {
            editor.add_history_entry(&text).map_err(io::Error::other)?;
        }
        Ok(Input::Text(text))
    }

    /// Without an editor. The prompt is not for the pipe that answers may go to.
    fn plain_line(&self, prompt: &str, interrupted: &dyn Fn() -> bool) -> io::Result<Input> {
        if self.typed {
            write!(io::stderr(), "{prompt}")?;
            #[cfg(unix)]
            if unix::wait_for_line(interrupted)? {
                writeln!(io::stderr())?;
                return Ok(Input::Interrupted);
            }
        }
        let _ = interrupted; // elsewhere than on Unix
        let mut bytes = Vec::new();
        if io::stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            return Ok(Input::End);
        }
        // A byte that is no text becomes a sign for that, and the lines after it are still read.
        Ok(Input::Text(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).into()))
    }

    /// Prints a part of an answer. A pipe gets it as it is; a terminal must not obey the model.
    pub fn print(&self, text: &str, dimmed: bool) -> io::Result<()> {
        let text = if self.shown { visible(text) } else { text.into() };
        // Each part for itself: wherever the answer ends, the terminal is as it was.
        let (dim, plain) = if self.dims && dimmed { ("\x1b[2m", "\x1b[0m") } else { ("", "") };
        let mut out = io::stdout().lock();
        write!(out, "{dim}{text}{plain}")?;
        out.flush()
    }
}

/// The line that is being edited: the editor drops it when a byte comes that is no text.
#[derive(Default)]
struct Seen(RefCell<String>);

impl Hinter for Seen {
    type Hint = String;

    /// Gives no hints. The editor calls this after every change.
    fn hint(&self, line: &str, _: usize, _: &Context) -> Option<String> {
        self.0.replace(line.into());
        None
    }
}

impl Completer for Seen {
    type Candidate = String;
}

impl Highlighter for Seen {}
impl Validator for Seen {}
impl Helper for Seen {}

fn edited(editor: &mut Editor<Seen, MemHistory>, prompt: &str) -> io::Result<Input> {
    let mut begun = String::new();
    loop {
        match editor.readline_with_initial(prompt, (&begun, "")) {
            Ok(line) => return Ok(Input::Text(line)),
            Err(ReadlineError::Interrupted) => return Ok(Input::Interrupted),
            Err(ReadlineError::Eof) => return Ok(Input::End),
            // As in a pipe, the byte becomes a sign for that. The line goes on at its end; of a paste, what the editor
            // had read with the byte is lost.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                begun = editor.helper().map_or_else(String::new, |seen| seen.0.take());
                begun.push(char::REPLACEMENT_CHARACTER);
            }
            Err(ReadlineError::Io(error)) => return Err(error),
            Err(error) => return Err(io::Error::other(error)),
        }
    }
}
