//! What many answers come to.

use std::collections::BTreeMap;

use serde::Serialize;

use super::ask::{Answer, Told};
use super::within;

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

/// What decides when a request begins.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Pace {
    /// A closed loop: each of so many clients begins its next one when the last is answered.
    Clients(usize),
    /// An open loop: so many begin in a second, whatever has come back.
    Rate(f64),
}

/// What an answer must keep to, to be a good one.
#[derive(clap::Args, Clone, Copy, Debug, Serialize)]
pub struct Targets {
    /// Count good answers, whose first token comes within so many milliseconds
    ///
    /// With --target-gap, an answer is good if it keeps to both. "good/s" is how many of them there are in a second, which vLLM
    /// calls goodput: tok/s can still grow where nobody would want to wait that long. This one is ttft of its --goodput.
    #[arg(long = "target-first", value_name = "MS", value_parser = within(0.0..=1e9))]
    pub target_first_ms: Option<f64>,

    /// Count good answers, whose other tokens take at most so many milliseconds each, on average
    ///
    /// This one is tpot of vLLM's --goodput. How long single gaps are is in the table's columns.
    #[arg(long = "target-gap", value_name = "MS", value_parser = within(0.0..=1e9))]
    pub target_gap_ms: Option<f64>,
}

impl Targets {
    pub fn any(&self) -> bool {
        self.target_first_ms.or(self.target_gap_ms).is_some()
    }

    fn kept_by(&self, answer: &Answer) -> bool {
        let first = answer.first_token_ms.unwrap_or(f64::INFINITY);
        let gap = answer.gaps_ms.iter().sum::<f64>() / (answer.tokens.max(2) - 1) as f64;
        self.target_first_ms.is_none_or(|most| first <= most)
            && self.target_gap_ms.is_none_or(|most| gap <= most)
    }
}

/// All requests that were made at one pace.
#[derive(Debug, Serialize)]
pub struct Level {
    #[serde(flatten)]
    pub pace: Pace,
    /// From the start to the end of the last answer.
    pub seconds: f64,
    /// Of whole answers.
    pub tokens: u64,
    /// Of all clients together.
    pub tokens_per_second: f64,
    /// Answers in a second that kept to the targets. None: there were none to keep to.
    pub request_goodput: Option<f64>,
    pub first_token_ms: Option<Percentiles>,
    pub gap_ms: Option<Percentiles>,
    pub total_ms: Option<Percentiles>,
    pub failed: usize,
    /// Why, and how often.
    pub failures: BTreeMap<String, usize>,
    pub answers: Vec<Answer>,
}

impl Level {
    pub fn new(pace: Pace, targets: Targets, seconds: f64, all: Vec<Told>) -> Level {
        let mut failures = BTreeMap::new();
        let mut answers = Vec::new();
        for one in all {
            match one {
                Ok(answer) => answers.push(answer),
                Err(why) => *failures.entry(why).or_default() += 1,
            }
        }
        let tokens = answers.iter().map(|answer| answer.tokens).sum();
        let good = answers.iter().filter(|answer| targets.kept_by(answer)).count();
        Level {
            pace,
            seconds,
            tokens,
            tokens_per_second: tokens as f64 / seconds,
            request_goodput: targets.any().then(|| good as f64 / seconds),
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
