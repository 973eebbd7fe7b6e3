use std::panic::{AssertUnwindSafe, catch_unwind};

use ground::error::Error;
use ground::request::Step;

use crate::decoder::Decoder;
use crate::queue::{Ended, EngineGuard, Queue, Queued};
use crate::session::Session;
use ch08_f16_cache::context::Context;

/// Computes one answer after the other, until the queue is closed. All it knows of clients is whether they listen.
pub fn work(session: &Session, context: &mut Context, queue: &Queue) {
    let _guard = EngineGuard(queue);
    while let Some(queued) = queue.next() {
        let mut generated = 0;
        let goes_on = || queued.is_wanted() && !queue.is_closed();
        let run = || answer(session, context, &queued, goes_on, &mut generated);
        let (how, last) = match catch_unwind(AssertUnwindSafe(run)) {
            Ok(Ok(Some(step))) => (Ended::Answered, Some(Ok(step))),
            Ok(Ok(None)) if queued.is_wanted() => (Ended::Failed, None),
            Ok(Ok(None)) => (Ended::Left, None),
            Ok(Err(error)) => (Ended::Failed, Some(Err(error.to_string()))),
            // The panic's own line is on standard error. What the cache holds may be half of something.
            Err(_) => {
                context.keep(&[]);
                (
                    Ended::Failed,
                    Some(Err("this request broke the engine: that is a bug".into())),
                )
            }
        };
        // Counted before it is told: a client that has its answer finds it counted.
        queue.ended(how, queued.asked.request.prompt_ids().len(), generated);
        last.map(|what| queued.tell(what));
    }
}

/// Tells an answer but for its last step, which is returned. If there's none, the client has left, or the queue is closed; we
/// notice that within a step, or within a chunk of the prompt.
fn answer(
    session: &Session,
    context: &mut Context,
    queued: &Queued,
    goes_on: impl Fn() -> bool,
    generated: &mut usize,
) -> Result<Option<Step>, Error> {
    let mut decoder = Decoder::new(&queued.asked, &session.tokenizer)?;
    context.keep(&decoder.ids);
    loop {
        let new = &decoder.ids[context.ids().len()..];
        let logits = context.forward(&session.model, new, &mut |_| goes_on())?;
        let Some(logits) = logits else { return Ok(None) };
        let step = decoder.take(&logits)?;
        *generated = decoder.generated();
        if step.finish.is_some() {
            return Ok(Some(step));
        }
        if !queued.tell(Ok(step)) {
            return Ok(None);
        }
    }
}
