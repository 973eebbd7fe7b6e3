use std::io::{self, Write};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use openai::{Refusal, Step};

use crate::picture::picture;
use crate::queue::{Ended, Job, Queue};
use crate::reply::Reply;
use crate::room::Room;
use crate::session::Session;
use crate::table::Table;
use ch08_f16_cache::cache::KvCache;
use ch08_f16_cache::context::common_beginning;
use ch08_f16_cache::how::PREFILL_CHUNK;

/// So many answers are written at a time. Others wait.
const TOGETHER: usize = 16;

/// An answer that is being written.
struct Running<'a> {
    name: char, // in the picture
    job: Job,
    reply: Reply<'a>,
    table: Table,
}

/// Writes one token of each answer in turn, as long as the program runs. All it knows of clients is whether they listen.
pub fn work(session: &Session, room: &Arc<Room>, queue: &Queue, watch: bool) {
    let mut running: Vec<Running> = Vec::new();
    // The answer that ended last, and what it answered: its client may go on from there.
    let mut last = (Vec::new(), Table::new(room));
    let (mut names, mut shown) = (('a'..='z').cycle(), String::new());
    loop {
        if running.len() < TOGETHER
            && let Some(job) = queue.next(running.is_empty())
        {
            let reply = Reply::new(job.asked.clone(), &session.tokenizer);
            let reply = reply.expect("it was checked");
            let texts = running.iter().map(|one| (&one.reply.ids, &one.table));
            let table = begin(&reply.ids, texts.chain([(&last.0, &last.1)]));
            running.extend(names.next().map(|name| Running { name, job, reply, table }));
        }
        for mut one in mem::take(&mut running) {
            let step = || one.step(session, &mut last.1);
            let step = catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| {
                // The panic's own line is on standard error. What the table holds may be half of something.
                one.table.truncate(0);
                Err(Refusal::failed("this request broke the engine: that is a bug"))
            });
            let (how, what) = match step {
                Ok(Some(step)) if step.finish.is_none() => {
                    if one.job.tell(Ok(step)) {
                        running.push(one);
                        continue;
                    }
                    (Ended::Left, None)
                }
                Ok(Some(step)) => (Ended::Answered, Some(Ok(step))),
                Ok(None) => (Ended::Left, None),
                Err(refusal) => (Ended::Failed, Some(Err(refusal))),
            };
            // Counted before it is told: a client that has its answer finds it counted.
            let prompt = one.job.asked.request.prompt_ids().len();
            queue.ended(how, prompt, one.reply.generated());
            one.table.truncate(one.table.length()); // gives back what an unfinished chunk had reserved
            last = (one.reply.ids, one.table);
            what.map(|what| one.job.tell(what));
        }
        if watch {
            let texts = running.iter().map(|one| (one.name, &one.table));
            let now = picture(room, texts.chain([('-', &last.1)]));
            if now != shown {
                let _ = writeln!(io::stderr(), "{now}");
                shown = now;
            }
        }
    }
}

/// A table with the rows that a prompt begins with, as far as one of these texts has them. The last token of a prompt
/// always remains to be computed: its logits are wanted.
fn begin<'a>(ids: &[u32], texts: impl Iterator<Item = (&'a Vec<u32>, &'a Table)>) -> Table {
    let known = |(text, table): (&Vec<u32>, &'a Table)| {
        (common_beginning(&text[..table.length()], &ids[..ids.len() - 1]), table)
    };
    let (length, table) =
        texts.map(known).max_by_key(|(length, _)| *length).expect("the last one");
    table.fork(length)
}

impl Running<'_> {
    /// The next token. Without one, the client has left; we notice that within a step, or within a chunk of the prompt.
    fn step(&mut self, session: &Session, last: &mut Table) -> Result<Option<Step>, Refusal> {
        let length = self.table.length();
        let new = &self.reply.ids[length..];
        while self.table.reserve(new.len()).is_err() {
            if last.length() == 0 {
                let message = "there is no room for more keys and values: try again later";
                return Err(Refusal::new(503, "room_full", message));
            }
            last.truncate(0);
        }
        let (table, wanted) = (Some(&mut self.table as _), &mut |_| self.job.is_wanted());
        let logits = session.model.forward_in_chunks(new, length, table, PREFILL_CHUNK, wanted);
        let logits = logits.map_err(|error| Refusal::failed(error.to_string()))?;
        let step = logits.map(|logits| self.reply.take(&logits)).transpose();
        step.map_err(|error| Refusal::failed(error.to_string()))
    }
}
