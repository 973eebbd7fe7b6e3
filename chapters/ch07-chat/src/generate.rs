use std::io;

use ground::error::Error;
use ground::request::{FinishReason, Generation, Request, best};
use ground::sample::Sampler;
use ground::stream::TextStream;
use ground::tokenizer::Tokenizer;

use crate::context::Context;
use crate::events;
use crate::recorder::Recorder;

/// Asks `forward` for one token after the other until the reply ends; `print` gets the text as it comes.
/// `forward` turns the ids that the context does not hold into the logits of the next one: all ids so
/// far without a cache, only the new ones with it. With `None` it ends the reply.
pub fn generate(
    request: &Request,
    tokenizer: &Tokenizer,
    recorder: &mut Recorder,
    context: &mut Context,
    mut forward: impl FnMut(&mut Context, &[u32]) -> Result<Option<Vec<f32>>, Error>,
    mut print: impl FnMut(&str) -> io::Result<()>,
) -> Result<Generation, Error> {
    let mut sampler = Sampler::new(request.sampling().clone())?;
    let mut stream = TextStream::new(tokenizer, request.stop());
    let mut ids = request.prompt_ids().to_vec();
    let mut text = String::new();
    let mut top_logits = Vec::new();
    // Whatever else it holds belongs to another prompt.
    context.keep(&ids);

    let finish_reason = loop {
        if ids.len() == request.prompt_ids().len() + request.max_new_tokens() {
            break FinishReason::Length;
        }
        let new = &ids[context.ids().len()..];
        let logits = recorder.forward(new.len(), || forward(context, new))?;
        let Some(logits) = logits else { break FinishReason::Interrupted };
        if request.top_logits() > 0 {
            top_logits.push(best(&logits, request.top_logits()));
        }
        let id = sampler.next(&logits, &ids);
        recorder.token();
        ids.push(id);
        events::step(&recorder.forwards, id, &logits, tokenizer)?;
        if request.eos_ids().contains(&id) {
            break FinishReason::Eos;
        }
        let delta = stream.push(id)?;
        print(&delta.text)?;
        text.push_str(&delta.text);
        if delta.stopped {
            break FinishReason::Stop;
        }
    };
    if finish_reason != FinishReason::Stop {
        let rest = stream.finish();
        print(&rest)?;
        text.push_str(&rest);
    }
    let generated_ids = ids.split_off(request.prompt_ids().len());
    Ok(Generation { prompt_ids: ids, generated_ids, text, finish_reason, top_logits })
}
