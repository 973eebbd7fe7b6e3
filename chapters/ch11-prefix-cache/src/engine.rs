use std::io::{self, Write};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use openai::{Refusal, Step};

use crate::picture::picture;
use crate::queue::{Ended, Job, Queue};
use crate::reply::Reply;
use crate::room::Room;
use crate::session::Session;
use crate::table::Table;
use crate::tree::Tree;
use ch08_f16_cache::cache::KvCache;
use ch08_f16_cache::how::PREFILL_CHUNK;
use ch08_f16_cache::kernels::PIECE;

/// So many answers are written at a time. Others wait.
const TOGETHER: usize = 16;

/// An answer that is being written.
struct Running<'a> {
    name: char, // in the picture
    job: Job,
    reply: Reply<'a>,
    table: Table,
    cached: usize, // tokens of the prompt that were found in the tree
}

/// Writes one token of each answer in turn, as long as the program runs. All it knows of clients is whether they listen.
pub fn work(
    session: &Session,
    room: &Arc<Room>,
    tree: &Mutex<Tree>,
    queue: &Queue,
    watch: bool,
) {
    let mut running: Vec<Running> = Vec::new();
    let tree = || tree.lock().expect("nothing panics with the tree");
    let (mut names, mut shown) = (('a'..='z').cycle(), String::new());
    loop {
        if running.len() < TOGETHER
            && let Some(job) = queue.next(running.is_empty())
        {
            let reply = Reply::new(job.asked.clone(), &session.tokenizer);
            let reply = reply.expect("it was checked");
            // The last token of a prompt always remains to be computed: its logits are wanted.
            let known = &reply.ids[..reply.ids.len() - 1];
            let table = tree().find(job.owner, known);
            let cached = table.length();
            running.extend(names.next().map(|name| Running {
                name,
                job,
                reply,
                table,
                cached,
            }));
        }
        for mut one in mem::take(&mut running) {
            let step = || one.step(session, tree);
            let step = catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| {
                // The panic's own line is on standard error. What the table holds may be half of something.
                one.table.truncate(0);
                Err(Refusal::failed("this request broke the engine: that is a bug"))
            });
            let (how, what) = match step {
                Ok(Some(step)) if step.finish.is_none() => {
                    if one.job.tell(one.cached, Ok(step)) {
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
            queue.ended(how, prompt, one.cached, one.reply.generated());
            tree().enter(one.job.owner, &one.reply.ids, &mut one.table);
            what.map(|what| one.job.tell(one.cached, what));
        }
        if watch {
            let texts = running.iter().map(|one| (one.name, &one.table));
            let now = picture(room, texts);
            if now != shown {
                let _ = writeln!(io::stderr(), "{now}");
                shown = now;
            }
        }
    }
}

impl Running<'_> {
    /// The next token. Without one, the client has left; we notice that within a step, or within a chunk of the prompt.
    fn step<'t>(
        &mut self,
        session: &Session,
        tree: impl Fn() -> MutexGuard<'t, Tree>,
    ) -> Result<Option<Step>, Refusal> {
        let length = self.table.length();
        let new = &self.reply.ids[length..];
        while self.table.reserve(new.len()).is_err() {
            if !tree().evict() {
                let message = "there is no room for more keys and values: try again later";
                return Err(Refusal::new(503, "room_full", message));
            }
        }
        let (table, wanted) = (Some(&mut self.table as _), &mut |_| self.job.is_wanted());
        let logits = session.model.forward_in_chunks(new, length, table, PREFILL_CHUNK, wanted);
        let logits = logits.map_err(|error| Refusal::failed(error.to_string()))?;
        // What is whole enters while others may still want it: the prompt at once, then block after block.
        if self.reply.generated() == 0 || self.table.length().is_multiple_of(PIECE) {
            tree().enter(self.job.owner, &self.reply.ids, &mut self.table);
        }
        let step = logits.map(|logits| self.reply.take(&logits)).transpose();
        step.map_err(|error| Refusal::failed(error.to_string()))
    }
}
