use std::io::{self, Write};
use std::path::Path;

use ground::error::Error;
use ground::text::{NAME, one_line};
use rustyline::error::ReadlineError;

use crate::commands::{CommandError, help, set, shown};
use crate::conversation::{Conversation, Turn};
use crate::stop::{self, Stopped};
use crate::terminal::Terminal;
use crate::thought::Thought;

/// A conversation over standard input, and what its turns have cost.
struct Talk<'a> {
    conversation: Conversation<'a>,
    json: bool, // one object a turn
    terminal: Terminal,
    turns: Vec<Turn>,
}

/// Answers one line after the other.
pub fn talk(conversation: Conversation, json: bool) -> Result<(), Error> {
    let terminal = Terminal::new().map_err(io::Error::other)?;
    if terminal.typed {
        let name = one_line(&conversation.session.model.config.name, NAME);
        let Conversation { session, context, .. } = &conversation;
        let positions = context.positions();
        let most = session.memory(&context.how, positions).total as f64 / 1e6;
        note(&format!(
            "{name}, a context of {positions} tokens, at most {most:.0} MB of memory. /help lists the commands."
        ))?;
    }
    let mut talk = Talk { conversation, json, terminal, turns: Vec::new() };
    let mut warned = false;
    loop {
        let line = match talk.terminal.read() {
            Ok(line) if line.trim() == "/quit" => return Ok(()),
            Ok(line) => line,
            Err(ReadlineError::Interrupted) if !warned => {
                note("Ctrl-C once more leaves, and so does Ctrl-D.")?;
                warned = true;
                continue;
            }
            Err(ReadlineError::Interrupted | ReadlineError::Eof) => return Ok(()),
            Err(error) => return Err(io::Error::other(error).into()),
        };
        warned = false;
        match talk.follow(line.trim()) {
            Ok(said) => note(&said)?,
            Err(error @ Error::Io(_)) => return Err(error), // nothing more can be printed
            // The questions that are still in a pipe are not wanted either.
            Err(Error::Chapter(e)) if e.is::<Stopped>() => return Err(Error::Chapter(e)),
            Err(error) => note(&format!("error: {error}"))?,
        }
    }
}

impl Talk<'_> {
    /// Does what a line asks for, and gives what there is to say about it.
    fn follow(&mut self, line: &str) -> Result<String, Error> {
        let conversation = &mut self.conversation;
        let after = line.split_once(char::is_whitespace).map_or("", |(_, after)| after);
        let file = Path::new(after.trim()); // its name may have spaces
        Ok(match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] => String::new(),
            ["/help"] => help(),
            ["/reset"] => {
                conversation.reset();
                "all questions and answers are forgotten".into()
            }
            ["/undo"] => match conversation.undo() {
                Some(question) => format!("taken back: {}", one_line(&question, 60)),
                None => "there is nothing to take back".into(),
            },
            ["/stats"] => self.stats(),
            ["/think", switch @ ("on" | "off")] => {
                conversation.settings.think = switch == "on";
                format!("thinking is {switch}")
            }
            ["/set"] => shown(&conversation.settings),
            ["/set", name, value] => {
                set(&mut conversation.settings, name, value)?;
                shown(&conversation.settings)
            }
            ["/save", _, ..] => {
                conversation.save(file)?;
                format!("{} messages are saved", conversation.messages.len())
            }
            ["/load", _, ..] => {
                conversation.load(file)?;
                format!("{} messages are loaded", conversation.messages.len())
            }
            _ if line.starts_with('/') && !line.starts_with("//") => {
                return Err(Error::chapter(CommandError::Unknown { found: line.into() }));
            }
            _ => self.ask(line.strip_prefix('/').unwrap_or(line))?,
        })
    }

    fn ask(&mut self, question: &str) -> Result<String, Error> {
        let (terminal, json) = (&self.terminal, self.json);
        if terminal.typed {
            stop::clear(); // Ctrl-C before the question did not mean this one
        }
        let mut thought = Thought::default();
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
        if turn.interrupted && !terminal.typed {
            return Err(Error::chapter(Stopped::Reply { new: turn.generated }));
        }
        let said = match (turn.interrupted, turn.text.as_str()) {
            (true, "") => "stopped: the question is taken back".into(),
            (true, _) => "stopped: the answer ends here".into(),
            _ if turn.dropped > 0 => {
                format!("the oldest {} messages are forgotten", turn.dropped)
            }
            _ if terminal.typed && turn.ended.starts_with("length") => turn.ended.into(),
            _ => String::new(),
        };
        self.turns.push(turn);
        Ok(said)
    }

    fn stats(&self) -> String {
        let (taken, positions) = self.conversation.fill();
        let mut table = format!(
            "the cache holds {taken} of {positions} positions\n\
             turn  tokens   kept  computed  generated  first token ms  prefill tok/s  decode tok/s"
        );
        let figure =
            |value: Option<f64>| value.map_or("n/a".into(), |value| format!("{value:.1}"));
        for (turn, index) in self.turns.iter().zip(1..) {
            let Turn { tokens, kept, computed, generated, .. } = turn;
            let first = figure(turn.first_token_ms);
            let prefill = figure(turn.prefill_tokens_per_second);
            let decode = figure(turn.decode_tokens_per_second);
            table += &format!(
                "\n{index:>4} {tokens:>7} {kept:>6} {computed:>9} {generated:>10} {first:>15} \
                 {prefill:>14} {decode:>13}"
            );
        }
        table
    }
}

/// What the program itself has to say. Standard output is for answers only.
fn note(text: &str) -> io::Result<()> {
    if text.is_empty() { Ok(()) } else { writeln!(io::stderr(), "{text}") }
}
