use std::io::{self, Write};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use openai::{Refusal, Step};

use crate::batch;
use crate::part::Part;
use crate::picture::picture;
use crate::queue::{Ended, Job, Queue};
use crate::reply::Reply;
use crate::room::Room;
use crate::session::Session;
use crate::table::Table;
use crate::tree::Tree;
use ch08_f16_cache::cache::{CacheError, KvCache};
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

/// Writes one token of each answer in every pass, as long as the program runs. All it knows of clients is whether they
/// listen.
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
        // One prompt at a time: the next one may begin alike.
        let is_reading = running.iter().any(|one| one.reply.generated() == 0);
        if running.len() < TOGETHER
            && !is_reading
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
        let all = pass(session, tree, &mut running);
        for (mut one, logits) in mem::take(&mut running).into_iter().zip(all) {
            let step = logits.and_then(|logits| caught(|| one.take(logits, tree))?);
            let (how, what) = match step {
                Ok(step) if step.as_ref().is_none_or(|step| step.finish.is_none()) => {
                    let listens = match step {
                        Some(step) => one.job.tell(one.cached, Ok(step)),
                        None => one.job.is_wanted(),
                    };
                    if listens {
                        running.push(one);
                        continue;
                    }
                    (Ended::Left, None)
                }
                Ok(step) => (Ended::Answered, step.map(Ok)),
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

/// The logits after the next tokens of each, or none in the middle of a prompt.
type Logits = Result<Option<Vec<f32>>, Refusal>;

/// One pass for all who have room in it.
fn pass<'t>(
    session: &Session,
    tree: impl Fn() -> MutexGuard<'t, Tree> + Copy,
    running: &mut [Running],
) -> Vec<Logits> {
    let have_room: Vec<_> = running.iter_mut().map(|one| one.reserve(tree)).collect();
    let ready = running.iter_mut().zip(&have_room).filter(|(_, has_room)| has_room.is_ok());
    let mut all = together(session, ready.map(|(one, _)| one).collect()).into_iter();
    let logits = |has_room: Result<_, _>| has_room.and_then(|()| all.next().expect("of each"));
    have_room.into_iter().map(logits).collect()
}

/// If a pass panics, each text gets one of its own, to the same bits. The one that breaks the engine fails; the others have
/// lost time.
fn together(session: &Session, mut texts: Vec<&mut Running>) -> Vec<Logits> {
    let forward = || {
        let mut parts: Vec<Part> = texts.iter_mut().map(|one| one.part()).collect();
        batch::forward(&session.model, &mut parts)
    };
    match caught(forward) {
        Ok(all) => {
            let failed = |error: CacheError| Refusal::failed(error.to_string());
            all.into_iter().map(|logits| logits.map_err(failed)).collect()
        }
        Err(_) if texts.len() > 1 => {
            texts.into_iter().flat_map(|one| together(session, vec![one])).collect()
        }
        Err(refusal) => {
            // What the table holds may be half of something.
            texts.into_iter().for_each(|one| one.table.truncate(0));
            vec![Err(refusal)]
        }
    }
}

/// A panic's own line is on standard error.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, Refusal> {
    let broken = |_| Refusal::failed("this request broke the engine: that is a bug");
    catch_unwind(AssertUnwindSafe(work)).map_err(broken)
}

impl Running<'_> {
    /// The tokens whose rows it needs next: the last one written, or some of its prompt.
    fn new_ids(&self) -> &[u32] {
        let new = &self.reply.ids[self.table.length()..];
        &new[..new.len().min(PREFILL_CHUNK.get())]
    }

    fn reserve<'t>(&mut self, tree: impl Fn() -> MutexGuard<'t, Tree>) -> Result<(), Refusal> {
        while self.table.reserve(self.new_ids().len()).is_err() {
            if !tree().evict() {
                // Those who come next in this pass may have its blocks.
                tree().enter(self.job.owner, &self.reply.ids, &mut self.table);
                self.table.truncate(0);
                let message = "there is no room for more keys and values: try again later";
                return Err(Refusal::new(503, "room_full", message));
            }
        }
        Ok(())
    }

    fn part(&mut self) -> Part<'_> {
        let (from, count) = (self.table.length(), self.new_ids().len());
        let new = &self.reply.ids[from..from + count];
        Part::new(new, &mut self.table, from + count == self.reply.ids.len())
    }

    /// The next token, if its logits were computed.
    fn take<'t>(
        &mut self,
        logits: Option<Vec<f32>>,
        tree: impl Fn() -> MutexGuard<'t, Tree>,
    ) -> Result<Option<Step>, Refusal> {
        // What is whole enters while others may still want it: the prompt at once, then block after block.
        if self.reply.generated() == 0 || self.table.length().is_multiple_of(PIECE) {
            tree().enter(self.job.owner, &self.reply.ids, &mut self.table);
        }
        let step = logits.map(|logits| self.reply.take(&logits)).transpose();
        step.map_err(|error| Refusal::failed(error.to_string()))
    }
}
