use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use ground::request::Step;

use crate::batch;
use crate::batch_item::BatchItem;
use crate::block_pool::BlockPool;
use crate::block_table::BlockTable;
use crate::decoder::Decoder;
use crate::log;
use crate::pool_map::pool_map;
use crate::prefix_cache::PrefixCache;
use crate::queue::{Ended, EngineError, EngineGuard, Queue, Queued};
use crate::session::Session;
use ch08_f16_cache::cache::KvCache;
use ch08_f16_cache::compute::ComputeContext;
use ch08_f16_cache::how::PREFILL_CHUNK;
use ch08_f16_cache::kernels::BLOCK_SIZE;

/// An answer that is being written.
struct Sequence<'a> {
    name: char, // in the pool map
    queued: Queued,
    decoder: Decoder<'a>,
    table: BlockTable,
    cached: usize, // tokens of the prompt that were found in the tree
}

/// Writes one token of each answer in every pass, until the queue is closed. All it knows of clients is whether they
/// listen.
pub fn work(
    session: &Session,
    pool: &Arc<BlockPool>,
    prefix_cache: &Mutex<PrefixCache>,
    queue: &Queue,
    watch: bool,
) {
    let _guard = EngineGuard(queue);
    let mut running: Vec<Sequence> = Vec::new();
    let prefix_cache = || prefix_cache.lock().expect("nothing panics with the tree");
    let (mut names, mut shown) = (('a'..='z').cycle(), String::new());
    while !queue.is_closed() {
        // One prompt at a time: the next one may begin alike.
        let is_reading = running.iter().any(|sequence| sequence.decoder.generated() == 0);
        if !is_reading && let Some(queued) = queue.next() {
            let decoder = Decoder::new(queued.asked.clone(), &session.tokenizer);
            let decoder = decoder.expect("it was checked");
            // The last token of a prompt always remains to be computed: its logits are wanted.
            let known = &decoder.ids[..decoder.ids.len() - 1];
            let table = prefix_cache().match_prefix(queued.owner, known);
            let cached = table.length();
            running.extend(names.next().map(|name| Sequence {
                name,
                queued,
                decoder,
                table,
                cached,
            }));
        }
        let all = pass(session, prefix_cache, &mut running);
        let computed = running.iter_mut().zip(&all).filter(|(_, logits)| logits.is_ok());
        computed.for_each(|(sequence, _)| sequence.publish(&mut prefix_cache()));
        let all = choose(&session.model.compute, &mut running, all);
        for (mut sequence, step) in mem::take(&mut running).into_iter().zip(all) {
            let (how, what) = match step {
                Ok(step) if step.as_ref().is_none_or(|step| step.finish.is_none()) => {
                    let listens = match step {
                        Some(step) => sequence.queued.tell(sequence.cached, Ok(step)),
                        None => sequence.queued.is_wanted(),
                    };
                    if listens {
                        running.push(sequence);
                        continue;
                    }
                    (Ended::Left, None)
                }
                Ok(step) => (Ended::Answered, step.map(Ok)),
                Err(error) => (Ended::Failed, Some(Err(error))),
            };
            // Counted before it is told: a client that has its answer finds it counted.
            let prompt = sequence.queued.asked.request.prompt_ids().len();
            queue.ended(
                sequence.queued.owner,
                how,
                prompt,
                sequence.cached,
                sequence.decoder.generated(),
            );
            prefix_cache().insert(
                sequence.queued.owner,
                &sequence.decoder.ids,
                &mut sequence.table,
            );
            what.map(|what| sequence.queued.tell(sequence.cached, what));
        }
        if watch {
            let texts = running.iter().map(|sequence| (sequence.name, &sequence.table));
            let now = pool_map(pool, texts);
            if now != shown {
                log::line(now.clone());
                shown = now;
            }
        }
    }
}

/// The logits after the next tokens of each, or none in the middle of a prompt.
type Logits = Result<Option<Vec<f32>>, EngineError>;

/// One pass for all who have room in it.
fn pass<'t>(
    session: &Session,
    prefix_cache: impl Fn() -> MutexGuard<'t, PrefixCache> + Copy,
    running: &mut [Sequence],
) -> Vec<Logits> {
    let have_room: Vec<_> =
        running.iter_mut().map(|sequence| sequence.reserve(prefix_cache)).collect();
    let ready = running.iter_mut().zip(&have_room).filter(|(_, has_room)| has_room.is_ok());
    let mut all = together(session, ready.map(|(sequence, _)| sequence).collect()).into_iter();
    let logits = |has_room: Result<_, _>| has_room.and_then(|()| all.next().expect("of each"));
    have_room.into_iter().map(logits).collect()
}

/// If a pass panics, each text gets one of its own, to the same bits. The one that breaks the engine fails; the others have
/// lost time.
fn together(session: &Session, mut texts: Vec<&mut Sequence>) -> Vec<Logits> {
    let forward = || {
        let mut items: Vec<BatchItem> =
            texts.iter_mut().map(|sequence| sequence.item()).collect();
        batch::forward(&session.model, &mut items)
    };
    match caught(forward) {
        Ok(all) => all.into_iter().map(|logits| Ok(logits?)).collect(),
        Err(_) if texts.len() > 1 => {
            texts.into_iter().flat_map(|sequence| together(session, vec![sequence])).collect()
        }
        Err(error) => {
            // What the table holds may be half of something.
            texts.into_iter().for_each(|sequence| sequence.table.truncate(0));
            vec![Err(error)]
        }
    }
}

/// The next token of each whose logits were computed. A draw from a whole vocabulary takes a while, so all threads draw.
fn choose(
    compute: &ComputeContext,
    running: &mut [Sequence],
    all: Vec<Logits>,
) -> Vec<Result<Option<Step>, EngineError>> {
    let mut steps: Vec<_> = running.iter().map(|_| Ok(None)).collect();
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
    /// The tokens whose rows it needs next: the last one written, or some of its prompt.
    fn new_ids(&self) -> &[u32] {
        let new = &self.decoder.ids[self.table.length()..];
        &new[..new.len().min(PREFILL_CHUNK.get())]
    }

    fn reserve<'t>(
        &mut self,
        prefix_cache: impl Fn() -> MutexGuard<'t, PrefixCache>,
    ) -> Result<(), EngineError> {
        let new = self.new_ids().len();
        while self.table.reserve(new).is_err() {
            if !prefix_cache().evict(self.table.lacks(new)) {
                // Those who come next in this pass may have its blocks.
                prefix_cache().insert(self.queued.owner, &self.decoder.ids, &mut self.table);
                self.table.truncate(0);
                let message = "there is no room for more keys and values: try again later";
                return Err(EngineError::NoRoom(message.into()));
            }
        }
        Ok(())
    }

    fn item(&mut self) -> BatchItem<'_> {
        let (from, count) = (self.table.length(), self.new_ids().len());
        let new = &self.decoder.ids[from..from + count];
        BatchItem::new(new, &mut self.table, from + count == self.decoder.ids.len())
    }

    /// What is whole enters while others may still want it: the prompt at once, then block after block.
    fn publish(&mut self, prefix_cache: &mut PrefixCache) {
        if self.decoder.generated() == 0 || self.table.length().is_multiple_of(BLOCK_SIZE) {
            prefix_cache.insert(self.queued.owner, &self.decoder.ids, &mut self.table);
        }
    }

    /// The next token, if its logits were computed.
    fn choose(&mut self, logits: Option<Vec<f32>>) -> Result<Option<Step>, EngineError> {
        Ok(logits.map(|logits| self.decoder.take(&logits)).transpose()?)
    }
}
