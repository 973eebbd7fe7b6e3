use openai::{Form, Refusal, Stopwatch, Told, ValidatedRequest};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

use super::Server;
use super::validate::thinks;
use crate::decoder::EngineRequest;
use crate::queue::{Event, Queued};

/// An answer that was asked for: what will come, and the form in which it's told.
pub struct ResponseHandle {
    pub form: Form,
    pub told: Vec<Told>, // one for each answer
    pub events: UnboundedReceiver<Event>,
}

/// Puts all answers to a request into the queue, if they fit there.
pub fn submit(
    server: &'static Server,
    validated: &mut ValidatedRequest,
    asked: Vec<EngineRequest>,
    owner: usize,
) -> Result<ResponseHandle, Refusal> {
    let prompt_tokens =
        asked.iter().map(|asked| asked.request.prompt_ids().len()).sum::<usize>() / validated.n;
    let model = validated.model.take().unwrap_or_else(|| server.names[0].clone());
    let tokenizer = &server.session.tokenizer;
    let form = Form::new(validated, model, &server.fingerprint, prompt_tokens, tokenizer);
    let told = asked.iter().map(|asked| match asked.matcher {
        None => Told::default(),
        Some(_) => Told::held(thinks(server, validated), validated.tools.is_some()),
    });
    let told = told.collect();
    // What keeps the channel open is the engine.
    let (sender, events) = unbounded_channel();
    let queued = asked.into_iter().enumerate().map(|(index, asked)| {
        let (clock, events) = (Stopwatch::start(), sender.clone());
        Queued { asked, index, owner, clock, events }
    });
    if !server.queue.push(queued.collect()) {
        server.goes_on()?;
        return Err(Refusal::queue_full());
    }
    Ok(ResponseHandle { form, told, events })
}

impl ResponseHandle {
    /// Takes in what has come.
    pub fn take(&mut self, chat: bool, event: Event) -> Result<(), Refusal> {
        let step = event.what?;
        self.told[event.index].cached = Some(event.cached);
        self.told[event.index].guesses = Some(event.guesses);
        self.told[event.index].push(chat, &step);
        Ok(())
    }

    /// All answers as JSON, once nothing more will come.
    pub fn whole(&self) -> Result<String, Refusal> {
        if self.told.iter().any(|told| told.finish.is_none()) {
            return Err(Refusal::ended());
        }
        Ok(self.form.whole(&self.told))
    }
}
