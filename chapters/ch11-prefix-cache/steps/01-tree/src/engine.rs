use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard};

use ground::request::Step;

use crate::block_pool::BlockPool;
use crate::block_table::BlockTable;
use crate::decoder::Decoder;
use crate::log;
use crate::pool_map::pool_map;
use crate::prefix_cache::PrefixCache;
use crate::queue::{Ended, EngineError, EngineGuard, Queue, Queued};
use crate::session::Session;
use ch08_f16_cache::cache::KvCache;
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

/// Writes one token of each answer in turn, until the queue is closed. All it knows of clients is whether they listen.
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
        if running.len() < queue.places
            && let Some(queued) = queue.next(running.is_empty())
        {
            let decoder = Decoder::new(queued.asked.clone(), &session.tokenizer);
            let decoder = decoder.expect("it was checked");
            // The last token of a prompt always remains to be computed: its logits are wanted.
            let known = &decoder.ids[..decoder.ids.len() - 1];
            let table = prefix_cache().match_prefix(known);
            let cached = table.length();
            running.extend(names.next().map(|name| Sequence {
                name,
                queued,
                decoder,
                table,
                cached,
            }));
        }
        for mut sequence in mem::take(&mut running) {
            let step = || sequence.step(session, prefix_cache);
            let step = catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| {
                // The panic's own line is on standard error. What the table holds may be half of something.
                sequence.table.truncate(0);
                Err(EngineError::Failed("this request broke the engine: that is a bug".into()))
            });
            let (how, what) = match step {
                Ok(Some(step)) if step.finish.is_none() => {
                    if sequence.queued.tell(sequence.cached, Ok(step)) {
                        running.push(sequence);
                        continue;
                    }
                    (Ended::Left, None)
                }
                Ok(Some(step)) => (Ended::Answered, Some(Ok(step))),
                Ok(None) => (Ended::Left, None),
                Err(error) => (Ended::Failed, Some(Err(error))),
            };
            // Counted before it is told: a client that has its answer finds it counted.
            let prompt = sequence.queued.asked.request.prompt_ids().len();
            queue.ended(how, prompt, sequence.cached, sequence.decoder.generated());
            prefix_cache().insert(&sequence.decoder.ids, &mut sequence.table);
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

impl Sequence<'_> {
    /// The next token. Without one, the client has left; we notice that within a step, or within a chunk of the prompt.
    fn step<'t>(
        &mut self,
        session: &Session,
        prefix_cache: impl Fn() -> MutexGuard<'t, PrefixCache>,
    ) -> Result<Option<Step>, EngineError> {
        let length = self.table.length();
        let new = &self.decoder.ids[length..];
        while self.table.reserve(new.len()).is_err() {
            if !prefix_cache().evict(self.table.lacks(new.len())) {
                let message = "there is no room for more keys and values: try again later";
                return Err(EngineError::NoRoom(message.into()));
            }
        }
        let (table, wanted) = (Some(&mut self.table as _), &mut |_| self.queued.is_wanted());
        let logits =
            session.model.forward_in_chunks(new, length, table, PREFILL_CHUNK, wanted)?;
        // What is whole enters while others may still want it: the prompt at once, then block after block.
        if self.decoder.generated() == 0 || self.table.length().is_multiple_of(BLOCK_SIZE) {
            prefix_cache().insert(&self.decoder.ids, &mut self.table);
        }
        Ok(logits.map(|logits| self.decoder.take(&logits)).transpose()?)
    }
}
