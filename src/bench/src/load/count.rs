//! What many answers come to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ask::Answer;

/// Of figures in order, the one that so many percent of them do not exceed: always one that was measured.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Percentiles {
    pub p50: f64,
    pub p95: f64,
    pub p99: f64,
    pub max: f64,
}

impl Percentiles {
    /// `None` where nothing was measured.
    pub fn new(figures: impl Iterator<Item = f64>) -> Option<Percentiles> {
        let mut sorted: Vec<f64> = figures.collect();
        sorted.sort_by(f64::total_cmp);
        let max = *sorted.last()?;
        let at = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100) - 1];
        Some(Percentiles { p50: at(50), p95: at(95), p99: at(99), max })
    }
}

/// All requests that so many clients have made.
#[derive(Debug, Serialize)]
pub struct Level {
    pub clients: usize,
    /// From the first request to the end of the last answer.
    pub seconds: f64,
    /// Of whole answers.
    pub tokens: u64,
    /// Of all clients together.
    pub tokens_per_second: f64,
    pub first_token_ms: Option<Percentiles>,
    pub gap_ms: Option<Percentiles>,
    pub total_ms: Option<Percentiles>,
    pub failed: usize,
    /// Why, and how often.
    pub failures: BTreeMap<String, usize>,
    pub answers: Vec<Answer>,
}

impl Level {
    pub fn new(clients: usize, seconds: f64, all: Vec<Result<Answer, String>>) -> Level {
        let mut failures = BTreeMap::new();
        let mut answers = Vec::new();
        for one in all {
            match one {
                Ok(answer) => answers.push(answer),
                Err(why) => *failures.entry(why).or_default() += 1,
            }
        }
        let tokens = answers.iter().map(|answer| answer.tokens).sum();
        Level {
            clients,
            seconds,
            tokens,
            tokens_per_second: tokens as f64 / seconds,
            first_token_ms: Percentiles::new(answers.iter().filter_map(|a| a.first_token_ms)),
            gap_ms: Percentiles::new(answers.iter().flat_map(|a| a.gaps_ms.iter().copied())),
            total_ms: Percentiles::new(answers.iter().map(|a| a.total_ms)),
            failed: failures.values().sum(),
            failures,
            answers,
        }
    }

    /// Whether not one request had a whole answer.
    pub fn none(&self) -> bool {
        self.answers.is_empty()
    }
}
