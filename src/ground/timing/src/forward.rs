//! One forward pass in the notes of a run.

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

/// The real clock: the time since it was made.
pub fn system_clock() -> impl Fn() -> Duration {
    let start = Instant::now();
    move || start.elapsed()
}
