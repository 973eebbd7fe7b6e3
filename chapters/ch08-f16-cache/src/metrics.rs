use std::time::Duration;

use serde::Serialize;

use crate::recorder::{Forward, Phase, Recorder, milliseconds};

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
    pub fn new(recorder: &Recorder, prompt_tokens: usize, generated_tokens: usize) -> Metrics {
        let times = |wanted: &dyn Fn(&Forward) -> bool| -> Vec<Duration> {
            recorder.forwards.iter().filter(|f| wanted(f)).map(|f| f.time).collect()
        };
        let prefill: Duration = times(&|f| f.phase == Phase::Prefill).iter().sum();
        // The first token belongs to the prefill: n tokens have n - 1 decode steps between them.
        let decode_steps = generated_tokens.saturating_sub(1);
        let decode =
            recorder.last_token.zip(recorder.first_token).map(|(last, first)| last - first);
        Metrics {
            prompt_tokens,
            generated_tokens,
            time_to_first_token_ms: recorder.first_token.map(milliseconds),
            prefill_tokens_per_second: rate(prompt_tokens, prefill),
            decode_tokens_per_second: decode.and_then(|time| rate(decode_steps, time)),
            forward_ms: Summary::new(&times(&|_| true)),
            decode_ms: Summary::new(&times(&|f| f.phase == Phase::Decode)),
        }
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

/// Things per second; `None` without things or without time.
fn rate(count: usize, time: Duration) -> Option<f64> {
    (count > 0 && time > Duration::ZERO).then(|| count as f64 / time.as_secs_f64())
}
