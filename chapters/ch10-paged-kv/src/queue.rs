use std::collections::VecDeque;
use std::error::Error;
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use ground::request::Step;
use openai::Stopwatch;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;

use crate::decoder::EngineRequest;

/// One answer to compute, and where it goes. When nobody listens there any more, nobody wants it.
pub struct Queued {
    pub asked: EngineRequest,
    pub index: usize, // among the answers to one request
    pub clock: Stopwatch,
    pub events: UnboundedSender<Event>,
}

/// What becomes of an answer in the queue.
pub struct Event {
    pub index: usize,
    pub what: Result<Step, EngineError>,
}

/// Why an answer has no end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EngineError {
    NoRoom(String),
    Failed(String),
}

impl<E: Error> From<E> for EngineError {
    fn from(error: E) -> EngineError {
        EngineError::Failed(error.to_string())
    }
}

impl Queued {
    pub fn is_wanted(&self) -> bool {
        !self.events.is_closed()
    }

    /// Says whether somebody listens. Never waits: the channel has room for a whole answer, which has an end.
    pub fn tell(&self, what: Result<Step, EngineError>) -> bool {
        what.iter().for_each(|step| self.clock.told(step));
        self.events.send(Event { index: self.index, what }).is_ok()
    }
}

/// What has become of all answers so far. Each one accepted is waiting, running, or has ended in one of three ways.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub accepted: u64,
    pub refused: u64, // because the queue was full
    pub waiting: u64,
    pub running: u64,
    pub answered: u64,
    pub left: u64, // by their clients
    pub failed: u64,
    pub prompt_tokens: u64,
    pub generated_tokens: u64,
}

/// How an answer that was running has ended.
pub enum Ended {
    Answered,
    Left,
    Failed,
}

/// Answers to compute, in the order in which they came.
pub struct Queue {
    inside: Mutex<Inside>,
    something: Condvar,
    closed: Notify,
    pub limit: usize,  // of answers that wait
    pub places: usize, // for answers that are written
}

#[derive(Default)]
struct Inside {
    waiting: VecDeque<Queued>,
    counts: Counts,
    is_closed: bool,
}

/// The engine holds one. However it ends, by a panic too, nobody waits for it any more.
pub struct EngineGuard<'a>(pub &'a Queue);

impl Drop for EngineGuard<'_> {
    fn drop(&mut self) {
        self.0.close();
        let counts = &mut self.0.inside().counts;
        counts.failed += mem::take(&mut counts.running);
    }
}

impl Queue {
    pub fn new(limit: usize, places: usize) -> Queue {
        let (something, closed) = (Condvar::new(), Notify::new());
        Queue { inside: Mutex::default(), something, closed, limit, places }
    }

    /// Whether none would be accepted, before the request has been read: counted as one refusal.
    pub fn is_full(&self) -> bool {
        let mut inside = self.inside();
        let is_full = inside.waiting.len() >= self.limit;
        inside.counts.refused += u64::from(is_full);
        is_full
    }

    /// Accepts all of them or none, and says which.
    pub fn push(&self, queued: Vec<Queued>) -> bool {
        let mut inside = self.inside();
        let count = queued.len() as u64;
        if inside.is_closed || inside.waiting.len() + queued.len() > self.limit {
            inside.counts.refused += count;
            return false;
        }
        inside.counts.accepted += count;
        inside.waiting.extend(queued);
        self.something.notify_one();
        true
    }

    /// The next answer that somebody wants; if it shall `wait`, as soon as there is one. None once the queue is closed.
    pub fn next(&self, wait: bool) -> Option<Queued> {
        let mut inside = self.inside();
        while !inside.is_closed {
            if let Some(queued) = inside.waiting.pop_front() {
                inside.counts.running += 1;
                queued.clock.taken();
                return Some(queued);
            }
            if !wait {
                return None;
            }
            inside = self.something.wait(inside).unwrap_or_else(PoisonError::into_inner);
            inside.sweep();
        }
        None
    }

    /// Lets nothing in any more, and nothing out. Those who wait hear of it: nobody holds the other end of their channels.
    pub fn close(&self) {
        let mut inside = self.inside();
        inside.is_closed = true;
        inside.counts.failed += inside.waiting.len() as u64;
        inside.waiting.clear();
        self.something.notify_all();
        self.closed.notify_one();
    }

    pub fn is_closed(&self) -> bool {
        self.inside().is_closed
    }

    /// Waits until the queue is closed.
    pub async fn closed(&self) {
        self.closed.notified().await;
    }

    pub fn ended(&self, how: Ended, prompt: usize, generated: usize) {
        let counts = &mut self.inside().counts;
        counts.running -= 1;
        *match how {
            Ended::Answered => &mut counts.answered,
            Ended::Left => &mut counts.left,
            Ended::Failed => &mut counts.failed,
        } += 1;
        counts.prompt_tokens += prompt as u64;
        counts.generated_tokens += generated as u64;
    }

    pub fn counts(&self) -> Counts {
        let inside = self.inside();
        Counts { waiting: inside.waiting.len() as u64, ..inside.counts }
    }

    /// Answers whose clients have left while they waited don't take anybody's place. A panic with the lock would end the engine,
    /// but not those who ask what became of it.
    fn inside(&self) -> MutexGuard<'_, Inside> {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        inside.sweep();
        inside
    }
}

impl Inside {
    fn sweep(&mut self) {
        let before = self.waiting.len();
        self.waiting.retain(Queued::is_wanted);
        self.counts.left += (before - self.waiting.len()) as u64;
    }
}
