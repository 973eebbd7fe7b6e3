use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame};
use openai::{Form, Refusal, Told};
use serde_json::Value;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Interval, interval};

use super::Until;
use super::submit::ResponseHandle;
use crate::queue::{EngineError, Event};

/// A stream that is silent for so long gets a comment, lest somebody on the way take it for dead.
const SILENCE: Duration = Duration::from_secs(10);

/// The body of a streamed answer: the engine's events come in, server-sent events go out. When the client leaves,
/// hyper drops it, and with it the receiver. When the server has no time left, it ends with an error.
pub struct Stream {
    form: Form,
    events: UnboundedReceiver<Event>,
    told: Vec<Told>,
    wants_cost: bool,
    ready: VecDeque<String>,
    silence: Interval,
    is_over: bool,
    no_time: Until,
}

impl Stream {
    pub fn new(handle: ResponseHandle, wants_cost: bool, no_time: Until) -> Stream {
        let ResponseHandle { form, told, events } = handle;
        let opening = (0..told.len()).filter_map(|index| form.opening(index));
        let ready = opening.map(|chunk| line(&chunk)).collect();
        let mut silence = interval(SILENCE);
        silence.reset();
        Stream { form, events, told, wants_cost, ready, silence, is_over: false, no_time }
    }

    fn take(&mut self, event: Event) {
        let step = match event.what {
            Ok(step) => step,
            Err(why) => return self.fail(&why.into()),
        };
        self.told[event.index].cached = Some(event.cached);
        self.told[event.index].guesses = Some(event.guesses);
        let chunks = self.form.next(event.index, &mut self.told[event.index], &step);
        self.ready.extend(chunks.iter().map(line));
        if self.told.iter().all(|told| told.finish.is_some()) {
            if self.wants_cost {
                self.ready.push_back(line(&self.form.cost(&self.told)));
            }
            self.end("data: [DONE]\n\n".into());
        }
    }

    fn fail(&mut self, refusal: &Refusal) {
        self.end(format!("data: {}\n\n", refusal.body()));
    }

    fn end(&mut self, last: String) {
        self.ready.push_back(last);
        self.is_over = true;
    }
}

/// Only here it gets a status: the engine knows nothing of HTTP.
impl From<EngineError> for Refusal {
    fn from(error: EngineError) -> Refusal {
        match error {
            EngineError::NoRoom(why) => Refusal::new(503, "room_full", why),
            EngineError::Failed(why) => Refusal::failed(why),
        }
    }
}

impl Body for Stream {
    type Data = Bytes;
    type Error = Infallible;

    /// Asked for the next piece, and asked again whenever there may be one: what answers `Pending` has left word
    /// with somebody who will say when.
    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        loop {
            if let Some(text) = self.ready.pop_front() {
                self.silence.reset();
                return Poll::Ready(Some(Ok(Frame::data(text.into()))));
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            match self.events.poll_recv(context) {
                Poll::Ready(Some(event)) => self.take(event),
                Poll::Ready(None) => self.fail(&Refusal::ended()),
                Poll::Pending => {
                    if self.no_time.as_mut().poll(context).is_ready() {
                        self.fail(&Refusal::ending());
                        continue;
                    }
                    ready!(self.silence.poll_tick(context));
                    self.ready.push_back(": still here\n\n".into());
                }
            }
        }
    }
}

fn line(chunk: &Value) -> String {
    format!("data: {chunk}\n\n")
}
