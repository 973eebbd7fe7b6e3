use std::time::{Duration, Instant};

use serde::{Serialize, Serializer};

/// The prefill reads the prompt; every later token is a decode step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Phase {
    Prefill,
    Decode,
}

/// One forward pass: how many tokens the caller handed in, and how long it took.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Forward {
    pub phase: Phase,
    pub tokens: usize,
    #[serde(rename = "ms", serialize_with = "as_milliseconds")]
    pub time: Duration,
}

fn as_milliseconds<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64(milliseconds(*time))
}

pub fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// Notes what happened when. The figures are made from its notes afterwards.
pub struct Recorder<'a> {
    clock: &'a dyn Fn() -> Duration,
    started: Duration,
    pub forwards: Vec<Forward>,
    pub first_token: Option<Duration>, // since the start
    pub last_token: Option<Duration>,  // since the start
}

impl<'a> Recorder<'a> {
    /// The clock is an argument, so that a test can decide how long everything takes.
    pub fn new(clock: &'a dyn Fn() -> Duration) -> Recorder<'a> {
        let started = clock();
        Recorder { clock, started, forwards: Vec::new(), first_token: None, last_token: None }
    }

    /// Times one forward pass.
    pub fn forward<T>(&mut self, tokens: usize, pass: impl FnOnce() -> T) -> T {
        let phase = if self.first_token.is_none() { Phase::Prefill } else { Phase::Decode };
        let before = (self.clock)();
        let result = pass();
        self.forwards.push(Forward { phase, tokens, time: (self.clock)() - before });
        result
    }

    /// A token has been chosen.
    pub fn token(&mut self) {
        let now = (self.clock)() - self.started;
        self.first_token.get_or_insert(now);
        self.last_token = Some(now);
    }
}

/// The real clock: the time since it was made.
pub fn system_clock() -> impl Fn() -> Duration {
    let start = Instant::now();
    move || start.elapsed()
}
