use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use ground::request::Step;

use crate::block_pool::BlockPool;
use crate::block_table::BlockTable;
use crate::decoder::Decoder;
use crate::log;
use crate::pool_map::pool_map;
use crate::queue::{Ended, EngineError, EngineGuard, Queue, Queued};
use crate::session::Session;
use ch08_f16_cache::cache::KvCache;
use ch08_f16_cache::context::common_beginning;
use ch08_f16_cache::how::PREFILL_CHUNK;

/// An answer that is being written.
struct Sequence<'a> {
    name: char, // in the pool map
    queued: Queued,
    decoder: Decoder<'a>,
    table: BlockTable,
}

/// Writes one token of each answer in turn, until the queue is closed. All it knows of clients is whether they listen.
pub fn work(session: &Session, pool: &Arc<BlockPool>, queue: &Queue, watch: bool) {
    let _guard = EngineGuard(queue);
    let mut running: Vec<Sequence> = Vec::new();
    // The answer that ended last, and what it answered: its client may go on from there.
    let mut last = (Vec::new(), BlockTable::new(pool));
    let (mut names, mut shown) = (('a'..='z').cycle(), String::new());
    while !queue.is_closed() {
        if running.len() < queue.places
            && let Some(queued) = queue.next(running.is_empty())
        {
            let decoder = Decoder::new(queued.asked.clone(), &session.tokenizer);
            let decoder = decoder.expect("it was checked");
            let texts = running.iter().map(|sequence| (&sequence.decoder.ids, &sequence.table));
            let table = begin(&decoder.ids, texts.chain([(&last.0, &last.1)]));
            running.extend(names.next().map(|name| Sequence { name, queued, decoder, table }));
        }
        for mut sequence in mem::take(&mut running) {
            let step = || sequence.step(session, &mut last.1);
            let step = catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| {
                // The panic's own line is on standard error. What the table holds may be half of something.
                sequence.table.truncate(0);
                Err(EngineError::Failed("this request broke the engine: that is a bug".into()))
            });
            let (how, what) = match step {
                Ok(Some(step)) if step.finish.is_none() => {
                    if sequence.queued.tell(Ok(step)) {
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
            queue.ended(how, prompt, sequence.decoder.generated());
            sequence.table.truncate(sequence.table.length()); // gives back what an unfinished chunk had reserved
            last = (sequence.decoder.ids, sequence.table);
            what.map(|what| sequence.queued.tell(what));
        }
        if watch {
            let texts = running.iter().map(|sequence| (sequence.name, &sequence.table));
            let now = pool_map(pool, texts.chain([('-', &last.1)]));
            if now != shown {
                log::line(now.clone());
                shown = now;
            }
        }
    }
}

/// A table with the rows that a prompt begins with, as far as one of these texts has them. The last token of a prompt
/// always remains to be computed: its logits are wanted.
fn begin<'a>(
    ids: &[u32],
    texts: impl Iterator<Item = (&'a Vec<u32>, &'a BlockTable)>,
) -> BlockTable {
    let known = |(text, table): (&Vec<u32>, &'a BlockTable)| {
        (common_beginning(&text[..table.length()], &ids[..ids.len() - 1]), table)
    };
    let (length, table) =
        texts.map(known).max_by_key(|(length, _)| *length).expect("the last one");
    table.fork(length)
}

impl Sequence<'_> {
    /// The next token. Without one, the client has left; we notice that within a step, or within a chunk of the prompt.
    fn step(
        &mut self,
        session: &Session,
        last: &mut BlockTable,
    ) -> Result<Option<Step>, EngineError> {
        let length = self.table.length();
        let new = &self.decoder.ids[length..];
        while self.table.reserve(new.len()).is_err() {
            if last.length() == 0 {
                let message = "there is no room for more keys and values: try again later";
                return Err(EngineError::NoRoom(message.into()));
            }
            last.truncate(0);
        }
        let (table, wanted) = (Some(&mut self.table as _), &mut |_| self.queued.is_wanted());
        let logits =
            session.model.forward_in_chunks(new, length, table, PREFILL_CHUNK, wanted)?;
        Ok(logits.map(|logits| self.decoder.take(&logits)).transpose()?)
    }
}
