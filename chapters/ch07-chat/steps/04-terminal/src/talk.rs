use std::io::{self, Write};

use ground::error::Error;
use ground::text::{NAME, one_line};
use ground::think_split::Thought;
use serde_json::json;
use terminal::{Input, Terminal};

use crate::commands::{help, refused};
use crate::conversation::{Conversation, Ended, Full, Turn};
use crate::progress_line::{ProgressLine, is_dumb};
use crate::stop;

/// A conversation over standard input, and what its turns have cost.
struct Talk<'a> {
    conversation: Conversation<'a>,
    json: bool, // one object a turn
    terminal: Terminal,
    turns: Vec<Turn>,
}

/// Answers one line after the other.
pub fn talk(conversation: Conversation, json: bool) -> Result<(), Error> {
    let terminal = Terminal::new(is_dumb())?;
    let typed = terminal.typed;
    if typed {
        let name = one_line(&conversation.session.model.config.name, NAME);
        let Conversation { session, context, .. } = &conversation;
        let positions = context.positions();
        let most = session.memory(&context.how, positions).total as f64 / 1e6;
        note(&format!(
            "{name}, a context of {positions} tokens, at most {most:.0} MB of memory. /help lists the commands."
        ))?;
    }
    let mut talk = Talk { conversation, json, terminal, turns: Vec::new() };
    let (mut warned, mut refused) = (false, 0);
    loop {
        let line = match talk.terminal.read(stop::asked)? {
            Input::Text(line) if line.trim() == "/quit" => break,
            Input::Text(line) => line,
            Input::Interrupted if !warned => {
                note("Ctrl-C once more leaves, and so does Ctrl-D.")?;
                stop::clear();
                warned = true;
                continue;
            }
            Input::Interrupted | Input::End => break,
        };
        warned = false;
        match talk.follow(line.trim()) {
            Ok(said) => note(&said)?,
            // Nothing more can be printed, or the questions still in the pipe aren't wanted any more.
            Err(error @ (Error::Io(_) | Error::Interrupted(_))) => return Err(error),
            Err(error) => {
                let error = format!("{error}{}", advice(&error, &talk.conversation));
                note(&format!("error: {error}"))?;
                if json {
                    writeln!(io::stdout(), "{}", json!({ "error": error }))?;
                }
                refused += 1;
            }
        }
    }
    match refused {
        // A person has seen the errors. A program that filled the pipe sees the exit status.
        1.. if !typed => Err(Error::chapter(format!("lines that were refused: {refused}"))),
        _ => Ok(()),
    }
}

impl Talk<'_> {
    /// Does what a line asks for, and returns what there is to say about it.
    fn follow(&mut self, line: &str) -> Result<String, Error> {
        let conversation = &mut self.conversation;
        Ok(match line.split_whitespace().collect::<Vec<_>>()[..] {
            [] => String::new(),
            ["/help"] => help(),
            ["/reset"] => {
                conversation.reset();
                self.turns.clear();
                "all questions and answers are forgotten".into()
            }
            ["/undo"] => match conversation.undo() {
                Some(question) => {
                    let last = self.turns.iter_mut().rfind(|turn| !turn.taken_back);
                    last.into_iter().for_each(|turn| turn.taken_back = true);
                    format!("taken back: {}", one_line(&question, 60))
                }
                None => "there is nothing to take back".into(),
            },
            ["/stats"] => self.stats()?,
            ["/think", switch @ ("on" | "off")] => {
                conversation.settings.think = switch == "on";
                format!("thinking is {switch}")
            }
            ["/set"] => conversation.settings.options.to_string(),
            ["/set", name, value] => {
                conversation.settings.options.set(name, value)?;
                conversation.settings.options.to_string()
            }
            _ if line.starts_with('/') && !line.starts_with("//") => {
                return Err(Error::chapter(refused(line)));
            }
            _ => self.ask(line.strip_prefix('/').unwrap_or(line))?,
        })
    }

    fn ask(&mut self, question: &str) -> Result<String, Error> {
        let (terminal, json) = (&self.terminal, self.json);
        if terminal.typed {
            stop::clear(); // Ctrl-C before the question did not mean this one
        }
        let mut progress = ProgressLine::start();
        let mut watch = |far| {
            progress.show(far);
            !stop::asked()
        };
        let mut thought = Thought::default();
        let turn = self.conversation.ask(question, &mut watch, |delta| {
            let parts = thought.push(delta);
            parts
                .iter()
                .filter(|_| !json)
                .try_for_each(|(text, dim)| terminal.print(text, *dim))
        });
        stop::clear();
        let turn = turn?;
        if json {
            writeln!(io::stdout(), "{}", json!(turn))?;
        } else {
            let (text, dim) = thought.finish();
            terminal.print(&(text + "\n"), dim)?;
        }
        if turn.ended == Ended::Interrupted && !terminal.typed {
            return Err(stop::stopped(progress.far));
        }
        let said = match turn.ended {
            _ if turn.taken_back => "stopped: the question is taken back".into(),
            Ended::Interrupted => "stopped: the answer ends here".into(),
            _ if turn.dropped > 0 => {
                format!("the oldest {} messages are forgotten", turn.dropped)
            }
            Ended::Full if terminal.typed => "the context is full: the answer ends here".into(),
            Ended::Length if terminal.typed => {
                "the answer is as long as -n or /set max-new-tokens allows".into()
            }
            _ => String::new(),
        };
        self.turns.push(turn);
        Ok(said)
    }

    fn stats(&self) -> Result<String, Error> {
        let (tokens, rows) = self.conversation.fill()?;
        let positions = self.conversation.context.positions();
        let mut table = format!(
            "the conversation has {tokens} tokens, {rows} of them in the cache, which holds {positions}\n\
             turn  tokens   kept  computed  generated  first token ms  prefill tok/s  decode tok/s"
        );
        let figure =
            |value: Option<f64>| value.map_or("n/a".into(), |value| format!("{value:.1}"));
        for (turn, index) in self.turns.iter().zip(1..) {
            let Turn { tokens, kept, computed, generated, .. } = turn;
            let first = figure(turn.first_token_ms);
            let prefill = figure(turn.prefill_tokens_per_second);
            let decode = figure(turn.decode_tokens_per_second);
            let back = if turn.taken_back { "  taken back" } else { "" };
            table += &format!(
                "\n{index:>4} {tokens:>7} {kept:>6} {computed:>9} {generated:>10} {first:>15} \
                 {prefill:>14} {decode:>13}{back}"
            );
        }
        Ok(table)
    }
}

/// What would help when there's no room: only what really does, for this model and this
/// context.
fn advice(error: &Error, conversation: &Conversation) -> String {
    let Error::Chapter(reason) = error else { return String::new() };
    let most = conversation.session.model.config.context_length;
    let larger = match conversation.context.positions() {
        holds if holds < most => format!(", or start with a larger --context, up to {most}"),
        _ => String::new(),
    };
    match reason.downcast_ref() {
        Some(Full::Conversation { .. }) => format!(
            ": /undo or /reset makes room; to drop the oldest turns, start with --on-full forget{larger}"
        ),
        Some(Full::Question { .. }) => larger,
        _ => String::new(),
    }
}

/// What the program itself has to say. Standard output is for answers only.
fn note(text: &str) -> io::Result<()> {
    if text.is_empty() { Ok(()) } else { writeln!(io::stderr(), "{text}") }
}
