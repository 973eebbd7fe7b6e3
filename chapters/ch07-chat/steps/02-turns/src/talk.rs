use std::io::{self, BufRead, Write};

use ground::error::Error;
use serde_json::json;

use crate::conversation::Conversation;
use crate::progress_line::ProgressLine;
use crate::stop;

/// Answers standard input line by line. With `json`, one object a turn.
pub fn talk(mut conversation: Conversation, json: bool) -> Result<(), Error> {
    for line in io::stdin().lock().lines() {
        let mut out = io::stdout().lock();
        match line?.as_str() {
            "" => {}
            "/reset" => conversation.reset(),
            "/undo" => drop(conversation.undo()),
            question => {
                let mut progress = ProgressLine::start();
                let mut watch = |far| {
                    progress.show(far);
                    !stop::asked()
                };
                let turn = conversation.ask(question, &mut watch, |delta| {
                    if json {
                        return Ok(());
                    }
                    write!(out, "{delta}")?;
                    out.flush()
                });
                stop::clear();
                match turn {
                    Ok(turn) if json => writeln!(out, "{}", json!(turn))?,
                    Ok(_) => writeln!(out)?,
                    Err(error @ Error::Io(_)) => return Err(error),
                    Err(error) => writeln!(io::stderr(), "error: {error}")?,
                }
            }
        }
    }
    Ok(())
}
