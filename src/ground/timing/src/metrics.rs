//! The figures of a run, and how the times of its passes are spread.

use std::time::Duration;

use serde::Serialize;

use crate::forward::{Forward, Phase, milliseconds};

/// The figures of a run. One that does not exist is `None`: n/a, or null in JSON.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    pub prompt_tokens: usize,
    pub generated_tokens: usize,
    pub time_to_first_token_ms: Option<f64>,
    pub prefill_tokens_per_second: Option<f64>,
    pub decode_tokens_per_second: Option<f64>,
    pub forward_ms: Option<Summary>, // all forward passes
    pub decode_ms: Option<Summary>,  // those of the decode phase alone
}

impl Metrics {
    /// How the passes are spread; the other figures are the chapter's to fill in.
    pub fn of_passes(forwards: &[Forward]) -> Metrics {
        let times = |wanted: &dyn Fn(&Forward) -> bool| -> Vec<Duration> {
            forwards.iter().filter(|f| wanted(f)).map(|f| f.time).collect()
        };
        Metrics {
            prompt_tokens: 0,
            generated_tokens: 0,
            time_to_first_token_ms: None,
            prefill_tokens_per_second: None,
            decode_tokens_per_second: None,
            forward_ms: Summary::new(&times(&|_| true)),
            decode_ms: Summary::new(&times(&|f| f.phase == Phase::Decode)),
        }
    }

    /// How many tokens come before the middle one of the decode steps: the last token is never fed back.
    pub fn middle_depth(&self) -> usize {
        self.prompt_tokens + self.generated_tokens.saturating_sub(2) / 2
    }
}

/// How some durations are spread, in milliseconds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    pub n: usize,
    pub sum: f64,
    pub min: f64,
    pub max: f64,
    pub mean: f64,
    pub median: f64,
    pub p95: f64,
    pub p99: f64,
}

impl Summary {
    /// `None` when there is nothing to summarise.
    pub fn new(times: &[Duration]) -> Option<Summary> {
        let mut sorted = times.to_vec();
        sorted.sort();
        let (n, sum) = (sorted.len(), milliseconds(sorted.iter().sum()));
        Some(Summary {
            n,
            sum,
            min: milliseconds(*sorted.first()?),
            max: milliseconds(*sorted.last()?),
            mean: sum / n as f64,
            median: (milliseconds(sorted[(n - 1) / 2]) + milliseconds(sorted[n / 2])) / 2.0,
            p95: milliseconds(nearest_rank(&sorted, 95)),
            p99: milliseconds(nearest_rank(&sorted, 99)),
        })
    }
}

/// The smallest value that at least `percent` of all values do not exceed: always one that occurred.
pub fn nearest_rank(sorted: &[Duration], percent: usize) -> Duration {
    let rank = (sorted.len() * percent).div_ceil(100);
    sorted[rank.max(1) - 1]
}
