use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::mpsc::sync_channel;
use std::thread::{self, JoinHandle};
use std::time::Instant;

use ground::error::Error;
use ground::text::path_line;
use openai::{Refusal, ValidatedRequest};
use serde_json::{Map, Value};

use super::Server;
use super::submit::{ResponseHandle, submit};
use super::validate::validate;

/// So many lines may be asked for before the first of them is told.
const AHEAD: usize = 64;
/// The bytes of a line.
const LINE: u64 = 4 << 20;

/// Answers a file: each line is the body of a request, and each answer is a line, in the same order. What can't be
/// answered has an error in its place.
pub fn answer_lines(
    server: &'static Server,
    engine: JoinHandle<()>,
    file: &Path,
) -> Result<(), Error> {
    let mut lines: Box<dyn BufRead + Send> = match file.to_str() {
        Some("-") => Box::new(BufReader::new(io::stdin())),
        _ => {
            let why = |error| Error::chapter(format!("{}: {error}", path_line(file)));
            Box::new(BufReader::new(File::open(file).map_err(why)?))
        }
    };
    let clock = Instant::now();
    let (asker, asked) = sync_channel(AHEAD);
    // The next lines are read while the first are answered; and when nobody reads the answers, that ends, too.
    let reader = thread::spawn(move || -> io::Result<()> {
        let mut number = 0;
        while let Some(line) = next_line(&mut lines)? {
            number += 1;
            if line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if asker.send((number, begin(server, &line))).is_err() {
                break;
            }
        }
        Ok(())
    });
    let (mut all, mut refused, mut out) = (0, 0, io::stdout().lock());
    for (number, handle) in asked {
        let answer = handle.and_then(|(chat, handle)| end(chat, handle));
        let mut answer = answer.unwrap_or_else(|refusal| {
            refused += 1;
            refusal.body()
        });
        answer.pop(); // its last bracket
        writeln!(out, "{answer},\"line\":{number}}}")?;
        all += 1;
    }
    reader.join().expect("it doesn't panic")?;
    server.queue.close();
    let _ = engine.join(); // if it broke, the lines say so
    let (new, seconds) =
        (server.queue.counts().generated_tokens, clock.elapsed().as_secs_f64());
    let _ = writeln!(
        io::stderr(),
        "{all} lines, {new} new tokens in {seconds:.1} s: {:.1} tok/s",
        new as f64 / seconds
    );
    match refused {
        0 => Ok(()),
        _ => Err(Error::chapter(format!(
            "{refused} of {all} lines have an error in their place"
        ))),
    }
}

/// A line without its end; none at the end of all. Of one that is too long, as much as shows it.
fn next_line(lines: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    let count = lines.by_ref().take(LINE + 1).read_until(b'\n', &mut line)?;
    if count as u64 > LINE && line.last() != Some(&b'\n') {
        lines.skip_until(b'\n')?;
    }
    line.pop_if(|end| *end == b'\n');
    Ok((count > 0).then_some(line))
}

fn begin(server: &'static Server, line: &[u8]) -> Result<(bool, ResponseHandle), Refusal> {
    if line.len() as u64 > LINE {
        return Err(Refusal::new(413, "too_large", format!("expected at most {LINE} bytes")));
    }
    let has_messages = |body: Map<String, Value>| body.contains_key("messages");
    let chat = serde_json::from_slice(line).is_ok_and(has_messages);
    let mut validated = ValidatedRequest::parse_structured(line, chat, server.options())?;
    if validated.stream {
        let message = "a line is answered as a whole: leave stream out";
        return Err(Refusal::of("stream", "invalid_value", message));
    }
    let asked = validate(server, &validated)?;
    Ok((chat, submit(server, &mut validated, asked, 0)?))
}

fn end(chat: bool, mut handle: ResponseHandle) -> Result<String, Refusal> {
    while let Some(event) = handle.events.blocking_recv() {
        handle.take(chat, event)?;
    }
    handle.whole()
}
