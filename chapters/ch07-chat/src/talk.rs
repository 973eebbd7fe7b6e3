use std::io::{self, Write};

use ground::error::Error;
use ground::text::one_line;

use crate::commands::{COMMANDS, Input, parse, set, shown};
use crate::conversation::{Conversation, Turn};
use crate::stop::Stopped;
use crate::terminal::{Line, Terminal};
use crate::thought::Thought;

/// A conversation with standard input: with a person at a terminal, or line by line from a pipe.
struct Talk<'a> {
    conversation: Conversation<'a>,
    json: bool, // one object a turn
    terminal: Terminal,
    turns: Vec<Turn>,
}

/// Answers until there is nothing more to answer.
pub fn talk(conversation: Conversation, json: bool) -> Result<(), Error> {
    let mut talk = Talk { conversation, json, terminal: Terminal::new()?, turns: Vec::new() };
    if talk.terminal.typed {
        let (_, positions) = talk.conversation.fill();
        let model = talk.conversation.model();
        note(format!(
            "{model}, a context of {positions} tokens. /help shows what you can do."
        ))?;
    }
    let mut warned = false;
    loop {
        let line = match talk.terminal.read()? {
            Line::Text(line) => line,
            Line::Interrupted if !warned => {
                note("Ctrl-C once more leaves, and so does Ctrl-D.")?;
                warned = true;
                continue;
            }
            Line::Interrupted | Line::End => return Ok(()),
        };
        warned = false;
        match talk.follow(&line) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            // Input or output is gone, or Ctrl-C means all that a pipe still holds.
            Err(error @ Error::Io(_)) => return Err(error),
            Err(Error::Chapter(error)) if error.is::<Stopped>() => {
                return Err(Error::Chapter(error));
            }
            Err(error) => note(format!("error: {error}"))?,
        }
    }
}

impl Talk<'_> {
    /// Does what a line asks for. `false`: nothing comes after it.
    fn follow(&mut self, line: &str) -> Result<bool, Error> {
        let conversation = &mut self.conversation;
        match parse(line).map_err(Error::chapter)? {
            Input::Question(question) if question.trim().is_empty() => {}
            Input::Question(question) => self.ask(&question)?,
            Input::Help => {
                for (usage, meaning) in COMMANDS {
                    note(format!("{usage:18} {meaning}"))?;
                }
                note(
                    "A line that ends with \\ goes on in the next one. Ctrl-C stops an answer.",
                )?;
            }
            Input::Reset => {
                conversation.reset();
                note("all questions and answers are forgotten")?;
            }
            Input::Undo => match conversation.undo() {
                Some(question) => note(format!("taken back: {}", one_line(&question, 60)))?,
                None => note("there is nothing to take back")?,
            },
            Input::Stats => self.stats()?,
            Input::Think(think) => {
                conversation.settings.think = think;
                note(format!("thinking is {}", if think { "on" } else { "off" }))?;
            }
            Input::Settings => note(shown(&conversation.settings))?,
            Input::Set(name, value) => {
                set(&mut conversation.settings, &name, &value).map_err(Error::chapter)?;
                note(shown(&conversation.settings))?;
            }
            Input::Save(_) | Input::Load(_) => {}
            Input::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn ask(&mut self, question: &str) -> Result<(), Error> {
        let mut thought = Thought::default();
        let (terminal, json) = (&self.terminal, self.json);
        let turn = self.conversation.ask(question, |piece| {
            let parts = thought.push(piece);
            parts.iter().filter(|_| !json).try_for_each(|part| terminal.print(part))
        })?;
        let mut out = io::stdout().lock();
        if json {
            serde_json::to_writer(&mut out, &turn).map_err(io::Error::from)?;
        } else {
            terminal.print(&thought.finish())?;
        }
        writeln!(out)?;

        if turn.dropped > 0 {
            note(format!("the context was full: {} messages are forgotten", turn.dropped))?;
        }
        if turn.interrupted && !terminal.typed {
            return Err(Error::chapter(Stopped::Reply { new: turn.generated }));
        }
        if turn.interrupted && turn.text.is_empty() {
            note("stopped: the question is taken back")?;
        } else if turn.interrupted {
            note("stopped: the answer ends here")?;
        } else if terminal.typed && turn.ended.starts_with("length") {
            note(turn.ended)?;
        }
        self.turns.push(turn);
        Ok(())
    }

    fn stats(&self) -> io::Result<()> {
        let (taken, positions) = self.conversation.fill();
        note(format!("{taken} of the cache's {positions} positions are taken"))?;
        note(
            "turn  tokens   kept  computed  generated  first token ms  prefill tok/s  decode tok/s",
        )?;
        let figure =
            |value: Option<f64>| value.map_or("n/a".into(), |value| format!("{value:.1}"));
        for (turn, index) in self.turns.iter().zip(1..) {
            let Turn { tokens, kept, computed, generated, .. } = turn;
            let [first, prefill, decode] = [
                turn.first_token_ms,
                turn.prefill_tokens_per_second,
                turn.decode_tokens_per_second,
            ]
            .map(figure);
            note(format!(
                "{index:>4} {tokens:>7} {kept:>6} {computed:>9} {generated:>10} {first:>15} \
                 {prefill:>14} {decode:>13}"
            ))?;
        }
        Ok(())
    }
}

/// What the program itself has to say goes to standard error: standard output is for answers.
fn note(line: impl AsRef<str>) -> io::Result<()> {
    writeln!(io::stderr(), "{}", line.as_ref())
}
