use std::collections::{BTreeSet, VecDeque};
use std::error::Error;
use std::fmt::Write;
use std::mem;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ground::request::{Guesses, Step};
use openai::Stopwatch;
use tokio::sync::Notify;
use tokio::sync::mpsc::UnboundedSender;

use crate::decoder::EngineRequest;

/// One answer to compute, and where it goes. When nobody listens there any more, nobody wants it.
pub struct Queued {
    pub asked: EngineRequest,
    pub index: usize, // among the answers to one request
    pub owner: usize, // whose key it came with
    pub clock: Stopwatch,
    pub events: UnboundedSender<Event>,
}

/// What becomes of an answer in the queue.
pub struct Event {
    pub index: usize,
    pub cached: usize, // tokens of the prompt that were computed before
    pub guesses: Guesses,
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
    pub fn tell(
        &self,
        cached: usize,
        guesses: Guesses,
        what: Result<Step, EngineError>,
    ) -> bool {
        what.iter().for_each(|step| self.clock.told(step));
        self.events.send(Event { index: self.index, cached, guesses, what }).is_ok()
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
    pub cached_tokens: u64, // of these
    pub generated_tokens: u64,
    pub guessed_tokens: u64, // all of them in passes
    pub kept_tokens: u64,    // of these
    pub preempted: u64,      // times that a text lost its rows to an older one
    pub passes: u64,
    pub rows: u64, // in all passes
    pub pass_us: u64,
    pub longest_pass_us: u64,
}

/// An answer that is being written, as a page of the server shows it.
pub struct Shown {
    pub owner: usize,
    pub name: char,
    pub prompt: usize,
    pub cached: usize,
    pub generated: usize,
    pub computed: usize,
    pub blocks: usize,
    pub state: &'static str,
}

/// How an answer that was running has ended.
pub enum Ended {
    Answered,
    Left,
    Failed,
}

/// Answers to compute. Those of one owner keep the order in which they came.
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
    running: Vec<usize>, // their owners
    counts: Counts,
    shown: Vec<Shown>,
    is_closed: bool,
}

/// The engine holds one. However it ends, by a panic too, nobody waits for it any more.
pub struct EngineGuard<'a>(pub &'a Queue);

impl Drop for EngineGuard<'_> {
    fn drop(&mut self) {
        self.0.close();
        let inside = &mut *self.0.inside();
        inside.counts.failed += mem::take(&mut inside.running).len() as u64;
    }
}

impl Queue {
    pub fn new(limit: usize, places: usize) -> Queue {
        let (something, closed) = (Condvar::new(), Notify::new());
        Queue { inside: Mutex::default(), something, closed, limit, places }
    }

    /// Whether none of this owner would be accepted, before the request has been read: counted as one refusal.
    pub fn is_full(&self, owner: usize) -> bool {
        let mut inside = self.inside();
        let is_full = !inside.accepts(owner, 1, self.limit);
        inside.counts.refused += u64::from(is_full);
        is_full
    }

    /// Accepts all answers of one owner or none, and says which.
    pub fn push(&self, queued: Vec<Queued>) -> bool {
        let mut inside = self.inside();
        let count = queued.len() as u64;
        let owner = queued.first().map_or(0, |queued| queued.owner);
        if inside.is_closed || !inside.accepts(owner, queued.len(), self.limit) {
            inside.counts.refused += count;
            return false;
        }
        inside.counts.accepted += count;
        inside.waiting.extend(queued);
        self.something.notify_one();
        true
    }

    /// The next answer that somebody wants, of the owner who has the fewest running: the oldest of these. It needs a place, but
    /// for an owner of whom none is running. Waits only as long as there is nothing at all. None once
    /// the queue is closed.
    pub fn next(&self) -> Option<Queued> {
        let mut inside = self.inside();
        while inside.waiting.is_empty() && inside.running.is_empty() && !inside.is_closed {
            inside = self.something.wait(inside).unwrap_or_else(PoisonError::into_inner);
            inside.sweep();
        }
        let running = &inside.running;
        let of_owner =
            |queued: &Queued| running.iter().filter(|&&it| it == queued.owner).count();
        let all = inside.waiting.iter().map(of_owner).enumerate();
        let (index, of_owner) = all.min_by_key(|(_, of_owner)| *of_owner)?;
        if of_owner > 0 && running.len() >= self.places {
            return None;
        }
        let queued = inside.waiting.remove(index)?;
        queued.clock.taken();
        inside.running.push(queued.owner);
        Some(queued)
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

    pub fn ended(
        &self,
        owner: usize,
        how: Ended,
        prompt: usize,
        cached: usize,
        generated: usize,
    ) {
        let inside = &mut *self.inside();
        let place = inside.running.iter().position(|&running| running == owner);
        inside.running.remove(place.expect("it's running"));
        let counts = &mut inside.counts;
        *match how {
            Ended::Answered => &mut counts.answered,
            Ended::Left => &mut counts.left,
            Ended::Failed => &mut counts.failed,
        } += 1;
        counts.prompt_tokens += prompt as u64;
        counts.cached_tokens += cached as u64;
        counts.generated_tokens += generated as u64;
    }

    pub fn guessed(&self, guesses: Guesses) {
        let counts = &mut self.inside().counts;
        counts.guessed_tokens += guesses.guessed as u64;
        counts.kept_tokens += guesses.accepted as u64;
    }

    /// A pass is over, which had so many rows.
    pub fn passed(&self, rows: usize, time: Duration) {
        let (counts, us) = (&mut self.inside().counts, time.as_micros() as u64);
        counts.passes += 1;
        counts.rows += rows as u64;
        counts.pass_us += us;
        counts.longest_pass_us = counts.longest_pass_us.max(us);
    }

    /// A text has lost its rows.
    pub fn preempted(&self) {
        self.inside().counts.preempted += 1;
    }

    pub fn show(&self, shown: Vec<Shown>) {
        self.inside().shown = shown;
    }

    /// A line for each answer of this owner that is being written.
    pub fn shown(&self, owner: usize) -> String {
        let mut lines = String::from("text   prompt  found  written  rows  blocks\n");
        for one in self.inside().shown.iter().filter(|one| one.owner == owner) {
            let Shown { name, prompt, cached, generated, computed, blocks, state, .. } = one;
            let _ = writeln!(
                lines,
                "{name:<4} {prompt:8} {cached:6} {generated:8} {computed:5} {blocks:7}  {state}"
            );
        }
        lines
    }

    pub fn counts(&self) -> Counts {
        let inside = self.inside();
        let (waiting, running) = (inside.waiting.len() as u64, inside.running.len() as u64);
        Counts { waiting, running, ..inside.counts }
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
    /// So many more of an owner: if there is room, or if with them it has no more than its share of all that may wait.
    fn accepts(&self, owner: usize, count: usize, limit: usize) -> bool {
        let of_owner = self.waiting.iter().filter(|queued| queued.owner == owner).count();
        let owners = self.waiting.iter().map(|queued| queued.owner).chain([owner]);
        let share = (limit / owners.collect::<BTreeSet<_>>().len()).max(1);
        self.waiting.len() + count <= limit || of_owner + count <= share
    }

    fn sweep(&mut self) {
        let before = self.waiting.len();
        self.waiting.retain(Queued::is_wanted);
        self.counts.left += (before - self.waiting.len()) as u64;
    }
}
