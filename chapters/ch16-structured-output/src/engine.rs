use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

use ground::request::{Guesses, Step};
use ground::tokenizer::Tokenizer;

use crate::batch;
use crate::batch_item::BatchItem;
use crate::block_pool::BlockPool;
use crate::block_table::BlockTable;
use crate::decoder::Decoder;
use crate::log;
use crate::matcher::Matcher;
use crate::ngram_drafter::NgramDrafter;
use crate::pool_map::pool_map;
use crate::prefix_cache::PrefixCache;
use crate::queue::{Ended, EngineError, EngineGuard, Queue, Queued, Shown};
use crate::schedule::{EACH, FEW, Pace, Standing, rows};
use crate::session::Session;
use ch08_f16_cache::cache::{CacheError, KvCache};
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::how::PREFILL_CHUNK;
use ch08_f16_cache::kernels::BLOCK_SIZE;

/// An answer that is being written.
struct Sequence<'a> {
    name: char, // in the pool map
    queued: Queued,
    decoder: Decoder<'a>,
    table: BlockTable,
    rows: usize,     // in the next pass
    draft: Vec<u32>, // and after them
    drafter: NgramDrafter,
    is_forced: bool, // the draft: a grammar leaves no other way on
    guesses: Guesses,
    furthest: usize, // the most that its table has held
    cached: usize,   // tokens of the prompt that were found in the tree
}

/// Decides what goes into a pass, and what becomes of it. It knows no model: whoever calls it computes.
pub struct Engine<'a> {
    pub tokenizer: &'a Tokenizer,
    pub prefix_cache: &'a Mutex<PrefixCache>,
    pub queue: &'a Queue,
    pub compute: &'a ComputeContext, // whoever is free draws
    pub budget: usize,               // rows of prompts in a pass, while somebody writes
    pub chunk: usize,                // and while nobody does
    pub guesses: usize,              // in a pass, of all together
    running: Vec<Sequence<'a>>,      // the oldest first
    started: usize,
}

/// A pass for readers alone may take so many gaps. Whoever comes meanwhile waits for its end.
const ALONE: u32 = 3;

/// Computes a pass.
pub type Forward<'f> =
    &'f mut dyn FnMut(&mut [BatchItem]) -> Vec<Result<Vec<Vec<f32>>, CacheError>>;

/// Computes until the queue is closed.
pub fn work(
    session: &Session,
    pool: &Arc<BlockPool>,
    prefix_cache: &Mutex<PrefixCache>,
    queue: &Queue,
    gap: Duration,
    guesses: usize,
    watch: bool,
) {
    let _guard = EngineGuard(queue);
    let compute = &session.model.compute;
    let mut engine =
        Engine::new(&session.tokenizer, prefix_cache, queue, compute, FEW, guesses);
    let (mut pace, mut shown) = (Pace::default(), String::new());
    while !queue.is_closed() {
        (engine.budget, engine.chunk) = (pace.fits(gap), pace.fits(ALONE * gap));
        let (rows, time) =
            engine.round(&mut |items| batch::forward(&session.model, session.layers, items));
        pace.passed(rows, time);
        if watch {
            let texts = engine.running.iter().map(|sequence| (sequence.name, &sequence.table));
            let now = pool_map(pool, texts);
            if now != shown {
                log::line(now.clone());
                shown = now;
            }
        }
    }
}

impl<'a> Engine<'a> {
    pub fn new(
        tokenizer: &'a Tokenizer,
        prefix_cache: &'a Mutex<PrefixCache>,
        queue: &'a Queue,
        compute: &'a ComputeContext,
        budget: usize,
        guesses: usize,
    ) -> Engine<'a> {
        Engine {
            tokenizer,
            prefix_cache,
            queue,
            compute,
            budget,
            chunk: PREFILL_CHUNK.get(),
            guesses,
            running: Vec::new(),
            started: 0,
        }
    }

    /// One pass, for all who have room in it. Without anybody to serve it waits. Says how many rows of prompts it had, and
    /// how long it took.
    pub fn round(&mut self, forward: Forward) -> (usize, Duration) {
        while let Some(queued) = self.queue.next() {
            self.start(queued);
        }
        let refused = self.plan();
        let reading = self.reading();
        self.draft(reading);
        let rows =
            self.running.iter().map(|sequence| sequence.rows + sequence.draft.len()).sum();
        let clock = Instant::now();
        // What may come after this pass is found out while it runs. Whoever asks for it then finds it.
        let matchers: Vec<(Matcher, Vec<u32>)> =
            self.running.iter().filter_map(Sequence::matcher).collect();
        let taking = self.running.iter_mut().filter(|sequence| sequence.rows > 0);
        let mut computed = thread::scope(|beside| {
            if !matchers.is_empty() {
                let prepare = |(matcher, draft): (Matcher, Vec<u32>)| matcher.prepare(&draft);
                beside.spawn(move || caught(|| matchers.into_iter().for_each(prepare)));
            }
            together(forward, taking.collect()).into_iter()
        });
        let mut all = Vec::with_capacity(refused.len());
        for (sequence, refused) in self.running.iter_mut().zip(refused) {
            let logits = match sequence.rows {
                0 => Ok(Vec::new()),
                _ => computed.next().expect("one for each that takes part"),
            };
            all.push(refused.and(logits));
        }
        let all = choose(self.compute, &mut self.running, all);
        let time = clock.elapsed();
        self.queue.passed(rows, time);
        for (mut sequence, steps) in mem::take(&mut self.running).into_iter().zip(all) {
            let (how, what) = match steps {
                Ok(mut steps) => {
                    sequence.publish(steps.len(), &mut self.prefix_cache());
                    let last = steps.pop_if(|(_, step)| step.finish.is_some());
                    let tell = |(guesses, step)| {
                        sequence.queued.tell(sequence.cached, guesses, Ok(step))
                    };
                    let listens = steps.into_iter().all(tell) && sequence.queued.is_wanted();
                    if last.is_none() && listens {
                        self.running.push(sequence);
                        continue;
                    }
                    let how = if last.is_some() { Ended::Answered } else { Ended::Left };
                    (how, last.map(|(_, step)| Ok(step)))
                }
                Err(error) => (Ended::Failed, Some(Err(error))),
            };
            // Counted before it is told: a client that has its answer finds it counted.
            let prompt = sequence.queued.asked.request.prompt_ids().len();
            self.queue.ended(
                sequence.queued.owner,
                how,
                prompt,
                sequence.cached,
                sequence.decoder.generated(),
            );
            self.queue.guessed(sequence.guesses);
            sequence.insert(&mut self.prefix_cache());
            what.map(|what| sequence.queued.tell(sequence.cached, sequence.guesses, what));
        }
        self.queue.show(self.running.iter().map(Sequence::shown).collect());
        (reading, time)
    }

    /// Rows of prompts in the next pass.
    fn reading(&self) -> usize {
        let reading = self.running.iter().filter(|sequence| sequence.standing().lacks() > 1);
        reading.map(|sequence| sequence.rows).sum()
    }

    fn start(&mut self, queued: Queued) {
        let decoder =
            Decoder::new(queued.asked.clone(), self.tokenizer).expect("it was checked");
        let table = self.prefix_cache().match_prefix(queued.owner, &[]);
        let name = char::from(b'a' + (self.started % 26) as u8);
        self.started += 1;
        self.running.push(Sequence {
            name,
            queued,
            decoder,
            table,
            rows: 0,
            draft: Vec::new(),
            drafter: NgramDrafter::default(),
            is_forced: false,
            guesses: Guesses::default(),
            furthest: 0,
            cached: 0,
        });
    }

    fn prefix_cache(&self) -> MutexGuard<'a, PrefixCache> {
        self.prefix_cache.lock().expect("nothing panics with the tree")
    }

    /// Gives each text its rows of the next pass, and the room for them. Says who can't have it at all.
    fn plan(&mut self) -> Vec<Result<(), EngineError>> {
        let mut prefix_cache = self.prefix_cache();
        self.running.iter_mut().for_each(|sequence| sequence.look(&mut prefix_cache));
        let standings: Vec<Standing> = self.running.iter().map(Sequence::standing).collect();
        let budget = if standings.iter().any(|text| text.lacks() == 1) {
            self.budget.max(EACH * standings.len())
        } else {
            standings.first().map_or(0, Standing::lacks).min(self.chunk)
        };
        for (sequence, rows) in self.running.iter_mut().zip(rows(&standings, budget)) {
            sequence.rows = rows;
        }
        let make_room = |index| self.make_room(index, &mut prefix_cache);
        (0..standings.len()).map(make_room).collect()
    }

    /// Who writes guesses on where there is room, and where the pass has rows left: nobody loses any for it.
    fn draft(&mut self, reading: usize) {
        let writing = self.running.iter().filter(|sequence| sequence.writes()).count();
        let most = self.guesses.min(self.budget.saturating_sub(reading)) / writing.max(1);
        for sequence in &mut self.running {
            sequence.draft.clear();
            if sequence.writes() {
                let left = sequence.queued.asked.request.max_new_tokens()
                    - sequence.decoder.generated();
                let most = most.min(left - 1);
                let matcher = sequence.decoder.matcher.as_mut().filter(|_| most > 0);
                let forced = matcher.map(Matcher::forced);
                sequence.draft = cut(self.tokenizer, &forced.unwrap_or_default(), most);
                sequence.is_forced = !sequence.draft.is_empty();
                if !sequence.is_forced {
                    sequence.draft = sequence.drafter.draft(&sequence.decoder.ids, most);
                }
                // Nothing that may not come is worth a row.
                if let Some(mut matcher) = sequence.decoder.matcher.clone() {
                    let right = sequence.draft.iter().take_while(|id| matcher.accept(**id));
                    let right = right.count();
                    sequence.draft.truncate(right);
                }
            }
            if !sequence.draft.is_empty()
                && sequence.table.reserve(1 + sequence.draft.len()).is_err()
            {
                sequence.draft.clear();
            }
        }
    }

    /// Room for all rows that a text lacks, if it's its turn: what is free, what only the tree holds, and what younger texts
    /// have, the youngest first. The oldest is never taken from, so it always gets to its end.
    fn make_room(
        &mut self,
        index: usize,
        prefix_cache: &mut PrefixCache,
    ) -> Result<(), EngineError> {
        let (older, younger) = self.running.split_at_mut(index + 1);
        let sequence = &mut older[index];
        let lacks = sequence.standing().lacks();
        while sequence.rows > 0
            && let Err(error) = sequence.table.reserve(lacks)
        {
            let is_full = matches!(error, CacheError::Full { .. });
            if is_full && prefix_cache.evict(sequence.table.lacks(lacks), false) {
                continue;
            }
            let youngest =
                younger.iter_mut().rev().find(|sequence| sequence.table.length() > 0);
            match youngest.filter(|_| is_full) {
                Some(youngest) => {
                    // What it has stays in the tree as long as there is room.
                    youngest.insert(prefix_cache);
                    youngest.table.truncate(0);
                    youngest.rows = 0;
                    self.queue.preempted();
                }
                // Then a block that only the tree shares is written to, and not copied.
                None if is_full && prefix_cache.evict(1, true) => {}
                None if is_full && index > 0 => sequence.rows = 0, // later
                None => {
                    sequence.rows = 0;
                    return Err(EngineError::NoRoom(error.to_string()));
                }
            }
        }
        Ok(())
    }
}

/// At most so many tokens of bytes to which there is no alternative: cut as any text is, and so, most likely, as the model will.
fn cut(tokenizer: &Tokenizer, bytes: &[u8], most: usize) -> Vec<u32> {
    let whole = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    let mut ids = tokenizer.encode(whole).unwrap_or_default();
    ids.drain(..usize::from(tokenizer.begin().is_some() && !ids.is_empty()));
    ids.truncate(most);
    ids
}

/// The logits after its last token and after each that is guessed, or none in the middle of a prompt.
type Logits = Result<Vec<Vec<f32>>, EngineError>;

/// If a pass panics, each text gets one of its own, to the same bits. The one that breaks the engine fails; the others have
/// lost time.
fn together(forward: Forward, mut texts: Vec<&mut Sequence>) -> Vec<Logits> {
    let pass = || {
        let next: Vec<Vec<u32>> = texts.iter().map(|sequence| sequence.next_ids()).collect();
        let of_each = texts.iter_mut().zip(&next);
        let mut items: Vec<BatchItem> =
            of_each.map(|(sequence, ids)| sequence.item(ids)).collect();
        forward(&mut items)
    };
    match caught(pass) {
        Ok(all) => all.into_iter().map(|logits| Ok(logits?)).collect(),
        Err(_) if texts.len() > 1 => {
            texts.into_iter().flat_map(|sequence| together(forward, vec![sequence])).collect()
        }
        Err(error) => {
            // What the table holds may be half of something.
            texts.into_iter().for_each(|sequence| sequence.table.truncate(0));
            vec![Err(error)]
        }
    }
}

/// The next tokens of each whose logits were computed. A draw from a whole vocabulary takes a while, so all threads draw.
fn choose(
    compute: &ComputeContext,
    running: &mut [Sequence],
    all: Vec<Logits>,
) -> Vec<Result<Vec<(Guesses, Step)>, EngineError>> {
    let mut steps: Vec<_> = running.iter().map(|_| Ok(Vec::new())).collect();
    let each = running.iter_mut().zip(all).zip(&mut steps);
    compute.par_for(each, |((sequence, logits), step)| {
        *step = logits.and_then(|logits| caught(|| sequence.choose(logits))?);
    });
    steps
}

/// A panic's own line is on standard error.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, EngineError> {
    let broken = "this request broke the engine: that is a bug";
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| EngineError::Failed(broken.into()))
}

impl Sequence<'_> {
    fn standing(&self) -> Standing {
        let (known, computed) = (self.decoder.ids.len(), self.table.length());
        Standing { owner: self.queued.owner, known, computed }
    }

    fn writes(&self) -> bool {
        self.rows == 1 && self.standing().lacks() == 1
    }

    /// What it lacks, others may have computed meanwhile, or itself before it was taken from it. The last token always
    /// remains to be computed: its logits are wanted.
    fn look(&mut self, prefix_cache: &mut PrefixCache) {
        let Standing { known, computed, .. } = self.standing();
        if self.standing().lacks() > 1 {
            let found =
                prefix_cache.match_prefix(self.queued.owner, &self.decoder.ids[..known - 1]);
            if found.length() > computed {
                if self.decoder.generated() == 0 {
                    self.cached += found.length().saturating_sub(self.furthest.max(computed));
                }
                self.table = found;
            }
        }
        self.furthest = self.furthest.max(self.table.length());
    }

    /// How far its grammar is, if the next pass chooses tokens, and what it guesses.
    fn matcher(&self) -> Option<(Matcher, Vec<u32>)> {
        let is_end = self.rows > 0 && self.rows == self.standing().lacks();
        let matcher = self.decoder.matcher.clone().filter(|_| is_end)?;
        Some((matcher, self.draft.clone()))
    }

    /// The tokens of its next rows: known ones, and guessed ones.
    fn next_ids(&self) -> Vec<u32> {
        let from = self.table.length();
        [&self.decoder.ids[from..from + self.rows], &self.draft].concat()
    }

    fn item<'p>(&'p mut self, ids: &'p [u32]) -> BatchItem<'p> {
        let is_end = self.rows == self.standing().lacks();
        let wanted = if is_end { 1 + self.draft.len() } else { 0 };
        BatchItem::new(ids, &mut self.table, wanted)
    }

    fn insert(&mut self, prefix_cache: &mut PrefixCache) {
        prefix_cache.insert(self.queued.owner, &self.decoder.ids, &mut self.table);
    }

    /// What is whole enters while others may still want it: block after block, and the prompt's end. Of the answer there are
    /// so many new tokens.
    fn publish(&mut self, new: usize, prefix_cache: &mut PrefixCache) {
        let length = self.table.length();
        let (before, whole) =
            (length - self.rows - new.saturating_sub(1), length / BLOCK_SIZE * BLOCK_SIZE);
        if new > 0 && self.decoder.generated() == new {
            self.insert(prefix_cache);
        } else if whole > before {
            prefix_cache.insert(self.queued.owner, &self.decoder.ids[..whole], &mut self.table);
        }
    }

    /// The next tokens, as far as their logits were computed: each is chosen as it would be without any guess. A guess that
    /// is another token was wrong, and what was computed after it is of no use.
    fn choose(&mut self, logits: Vec<Vec<f32>>) -> Result<Vec<(Guesses, Step)>, EngineError> {
        let (mut steps, before) = (Vec::new(), self.guesses.accepted);
        self.guesses.guessed += self.draft.len();
        for (place, logits) in logits.iter().enumerate() {
            let step = self.decoder.take(logits)?;
            let is_right = self.draft.get(place) == self.decoder.ids.last();
            let is_over = step.finish.is_some();
            self.guesses.accepted += usize::from(is_right);
            steps.push((self.guesses, step));
            if is_over || !is_right {
                break;
            }
        }
        if !self.draft.is_empty() {
            if !self.is_forced {
                self.drafter.learn(self.draft.len(), self.guesses.accepted - before);
            }
            self.table.truncate(self.decoder.ids.len() - 1);
        }
        Ok(steps)
    }

    fn shown(&self) -> Shown {
        let Standing { computed, .. } = self.standing();
        Shown {
            owner: self.queued.owner,
            name: self.name,
            prompt: self.queued.asked.request.prompt_ids().len(),
            cached: self.cached,
            generated: self.decoder.generated(),
            computed,
            blocks: computed.div_ceil(BLOCK_SIZE),
            state: match (self.standing().lacks(), self.rows) {
                (1, _) => "writes",
                (_, 0) if computed < self.furthest => "preempted",
                (_, 0) => "waits for room or rows",
                _ => "reads",
            },
        }
    }
}
