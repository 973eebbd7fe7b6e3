use std::time::Duration;

pub use timing::forward::{Forward, Phase, milliseconds, system_clock};

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
