use std::io::{self, Write};
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ground::tokenizer::Tokenizer;
use openai::{Refusal, Step};

use crate::batch;
use crate::part::Part;
use crate::picture::picture;
use crate::queue::{Ended, Job, Queue, Shown};
use crate::reply::Reply;
use crate::room::Room;
use crate::schedule::{EACH, FEW, Standing, budget, rows};
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
    rows: usize,     // in the next pass
    furthest: usize, // the most that its table has held
    cached: usize,   // tokens of the prompt that were found in the tree
}

/// Decides what goes into a pass, and what becomes of it. It knows no model: whoever calls it computes.
pub struct Engine<'a> {
    pub tokenizer: &'a Tokenizer,
    pub tree: &'a Mutex<Tree>,
    pub queue: &'a Queue,
    pub budget: usize, // rows of prompts in a pass, while somebody writes
    running: Vec<Running<'a>>, // the oldest first
    started: usize,
}

/// Computes a pass.
pub type Forward<'f> =
    &'f mut dyn FnMut(&mut [Part]) -> Vec<Result<Option<Vec<f32>>, CacheError>>;

/// Computes as long as the program runs.
pub fn work(
    session: &Session,
    room: &Arc<Room>,
    tree: &Mutex<Tree>,
    queue: &Queue,
    gap: Duration,
    watch: bool,
) {
    let mut engine = Engine::new(&session.tokenizer, tree, queue, FEW);
    let mut shown = String::new();
    loop {
        let (read, time) = engine.round(&mut |parts| batch::forward(&session.model, parts));
        engine.budget = budget(engine.budget, read, time, gap);
        if watch {
            let texts = engine.running.iter().map(|one| (one.name, &one.table));
            let now = picture(room, texts);
            if now != shown {
                let _ = writeln!(io::stderr(), "{now}");
                shown = now;
            }
        }
    }
}

impl<'a> Engine<'a> {
    pub fn new(
        tokenizer: &'a Tokenizer,
        tree: &'a Mutex<Tree>,
        queue: &'a Queue,
        budget: usize,
    ) -> Engine<'a> {
        Engine { tokenizer, tree, queue, budget, running: Vec::new(), started: 0 }
    }

    /// One pass, for all who have room in it. Without anybody to serve it waits. Says how many rows it had of those who read,
    /// and how long it took.
    pub fn round(&mut self, forward: Forward) -> (usize, Duration) {
        while self.running.len() < TOGETHER
            && let Some(job) = self.queue.next(self.running.is_empty())
        {
            self.start(job);
        }
        let refused = self.plan();
        let rows = |one: &Running| one.rows;
        let (all_rows, writing) = (self.running.iter().map(rows).sum(), self.writing());
        let clock = Instant::now();
        let taking = self.running.iter_mut().filter(|one| one.rows > 0);
        let mut all = together(forward, taking.collect()).into_iter();
        let time = clock.elapsed();
        self.queue.passed(all_rows, time);
        for (mut one, refused) in mem::take(&mut self.running).into_iter().zip(refused) {
            let logits = match one.rows {
                0 => Ok(None),
                _ => all.next().expect("one for each that takes part"),
            };
            let step = refused.and(logits).and_then(|logits| {
                one.share(logits.is_some(), &mut self.tree());
                caught(|| one.choose(logits))?
            });
            let (how, what) = match step {
                Ok(step) if step.as_ref().is_none_or(|step| step.finish.is_none()) => {
                    let listens = match step {
                        Some(step) => one.job.tell(one.cached, Ok(step)),
                        None => one.job.is_wanted(),
                    };
                    if listens {
                        self.running.push(one);
                        continue;
                    }
                    (Ended::Left, None)
                }
                Ok(step) => (Ended::Answered, step.map(Ok)),
                Err(refusal) => (Ended::Failed, Some(Err(refusal))),
            };
            // Counted before it is told: a client that has its answer finds it counted.
            let prompt = one.job.asked.request.prompt_ids().len();
            self.queue.ended(how, prompt, one.cached, one.reply.generated());
            one.enter(&mut self.tree());
            what.map(|what| one.job.tell(one.cached, what));
        }
        self.queue.show(self.running.iter().map(Running::shown).collect());
        (all_rows - writing, time)
    }

    /// How many write in the next pass: they lack one row.
    fn writing(&self) -> usize {
        let writes = |one: &&Running| one.rows == 1 && one.standing().lacks() == 1;
        self.running.iter().filter(writes).count()
    }

    fn start(&mut self, job: Job) {
        let reply = Reply::new(job.asked.clone(), self.tokenizer).expect("it was checked");
        let table = self.tree().find(job.owner, &[]);
        let name = char::from(b'a' + (self.started % 26) as u8);
        self.started += 1;
        self.running.push(Running { name, job, reply, table, rows: 0, furthest: 0, cached: 0 });
    }

    fn tree(&self) -> MutexGuard<'a, Tree> {
        self.tree.lock().expect("nothing panics with the tree")
    }

    /// Gives each text its rows of the next pass, and the room for them. Says who can't have it at all.
    fn plan(&mut self) -> Vec<Result<(), Refusal>> {
        let mut tree = self.tree();
        self.running.iter_mut().for_each(|one| one.look(&mut tree));
        let standings: Vec<Standing> = self.running.iter().map(Running::standing).collect();
        let budget = match standings.iter().any(|text| text.lacks() == 1) {
            true => self.budget.max(EACH * standings.len()),
            false => standings.first().map_or(0, Standing::lacks).min(PREFILL_CHUNK.get()),
        };
        for (one, rows) in self.running.iter_mut().zip(rows(&standings, budget)) {
            one.rows = rows;
        }
        let make_room = |index| self.make_room(index, &mut tree);
        (0..standings.len()).map(make_room).collect()
    }

    /// Room for all rows that a text lacks, if it's its turn: what is free, what only the tree holds, and what younger texts
    /// have, the youngest first. The oldest is never taken from, so it always gets to its end.
    fn make_room(&mut self, index: usize, tree: &mut Tree) -> Result<(), Refusal> {
        let (older, younger) = self.running.split_at_mut(index + 1);
        let one = &mut older[index];
        let lacks = one.standing().lacks();
        while one.rows > 0
            && let Err(error) = one.table.reserve(lacks)
        {
            let is_full = matches!(error, CacheError::Full { .. });
            if is_full && tree.evict(false) {
                continue;
            }
            let youngest = younger.iter_mut().rev().find(|one| one.table.length() > 0);
            match youngest.filter(|_| is_full) {
                Some(youngest) => {
                    // What it has stays in the tree as long as there is room.
                    youngest.enter(tree);
                    youngest.table.truncate(0);
                    youngest.rows = 0;
                    self.queue.preempted();
                }
                // Then a block that only the tree shares is written to, and not copied.
                None if is_full && tree.evict(true) => {}
                None if is_full && index > 0 => one.rows = 0, // later
                None => {
                    one.rows = 0;
                    return Err(Refusal::new(503, "room_full", error.to_string()));
                }
            }
        }
        Ok(())
    }
}

/// The logits after the next tokens of each, or none in the middle of a prompt.
type Logits = Result<Option<Vec<f32>>, Refusal>;

/// If a pass panics, each text gets one of its own, to the same bits. The one that breaks the engine fails; the others have
/// lost time.
fn together(forward: Forward, mut texts: Vec<&mut Running>) -> Vec<Logits> {
    let pass = || {
        let mut parts: Vec<Part> = texts.iter_mut().map(|one| one.part()).collect();
        forward(&mut parts)
    };
    match caught(pass) {
        Ok(all) => {
            let failed = |error: CacheError| Refusal::failed(error.to_string());
            all.into_iter().map(|logits| logits.map_err(failed)).collect()
        }
        Err(_) if texts.len() > 1 => {
            texts.into_iter().flat_map(|one| together(forward, vec![one])).collect()
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
    fn standing(&self) -> Standing {
        Standing { known: self.reply.ids.len(), computed: self.table.length() }
    }

    /// What it lacks, others may have computed meanwhile, or itself before it was taken from it. The last token always
    /// remains to be computed: its logits are wanted.
    fn look(&mut self, tree: &mut Tree) {
        let Standing { known, computed } = self.standing();
        if self.standing().lacks() > 1 {
            let found = tree.find(self.job.owner, &self.reply.ids[..known - 1]);
            if found.length() > computed {
                if self.reply.generated() == 0 {
                    self.cached += found.length().saturating_sub(self.furthest.max(computed));
                }
                self.table = found;
            }
        }
        self.furthest = self.furthest.max(self.table.length());
    }

    fn part(&mut self) -> Part<'_> {
        let Standing { known, computed } = self.standing();
        let end = computed + self.rows;
        Part::new(&self.reply.ids[computed..end], &mut self.table, end == known)
    }

    fn enter(&mut self, tree: &mut Tree) {
        tree.enter(self.job.owner, &self.reply.ids, &mut self.table);
    }

    /// What is whole enters while others may still want it: block after block, and the prompt's end.
    fn share(&mut self, is_read: bool, tree: &mut Tree) {
        let is_prompt = is_read && self.reply.generated() == 0;
        if self.rows > 0 && (is_prompt || self.table.length().is_multiple_of(PIECE)) {
            self.enter(tree);
        }
    }

    /// The next token, if its logits were computed.
    fn choose(&mut self, logits: Option<Vec<f32>>) -> Result<Option<Step>, Refusal> {
        let step = logits.map(|logits| self.reply.take(&logits)).transpose();
        step.map_err(|error| Refusal::failed(error.to_string()))
    }

    fn shown(&self) -> Shown {
        let Standing { computed, .. } = self.standing();
        Shown {
            owner: self.job.owner,
            name: self.name,
            prompt: self.job.asked.request.prompt_ids().len(),
            cached: self.cached,
            generated: self.reply.generated(),
            computed,
            blocks: computed.div_ceil(PIECE),
            state: match (self.standing().lacks(), self.rows) {
                (1, _) => "writes",
                (_, 0) if computed < self.furthest => "preempted",
                (_, 0) => "waits for room or rows",
                _ => "reads",
            },
        }
    }
}
