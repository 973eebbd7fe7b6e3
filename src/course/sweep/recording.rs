//! What a sweep writes down, and what the plotter reads.

use std::fmt;

use ground::config::Config;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::estimate;
use super::fit::Fit;

/// A whole sweep. The fields with a default may be missing: a recording made by another program
/// needs only the cells and their speeds.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Recording {
    pub machine: Value,
    pub model: String,
    pub stored_as: String,
    pub repeat: usize,
    pub seed: u64,
    pub estimated_seconds: f64,
    pub seconds: f64,
    pub cells: Vec<Cell>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub ratios: Vec<Ratio>,
    /// One for each setting whose prompts of many lengths had one new token each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub prompt_fits: Vec<PromptFit>,
}

impl Recording {
    /// The cells of one setting. Not by name: a setting may be compared with itself, to see the noise.
    pub fn cells_of(&self, setting: usize, settings: usize) -> impl Iterator<Item = &Cell> {
        self.cells.iter().skip(setting).step_by(settings)
    }
}

/// A curve over prompts: without a cache, a prompt of n tokens takes the same pass as the n-th token.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PromptFit {
    pub setting: String,
    pub fit: Fit,
}

impl PromptFit {
    pub fn new<'a>(setting: &str, cells: impl Iterator<Item = &'a Cell>) -> Option<PromptFit> {
        let prompts = cells.filter(|cell| cell.point.kind == Kind::Prompt);
        let single = prompts.filter(|cell| cell.point.new_tokens == 1);
        let point =
            |cell: &Cell| Some((cell.point.tokens as f64, cell.whole_run_ms.as_ref()?.median));
        let points: Vec<_> = single.filter_map(point).collect();
        Some(PromptFit { setting: setting.into(), fit: Fit::new(&points)? })
    }
}

/// Where on the curve a cell was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Point {
    pub kind: Kind,
    pub tokens: usize,
    #[serde(default)]
    pub new_tokens: usize,
}

/// A prompt of some tokens and a reply, or a few decode steps behind a past of that many tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    Prompt,
    Depth,
}

impl Point {
    /// A prompt cannot be empty: depth 0 is measured behind a single token.
    pub fn prompt_tokens(&self) -> usize {
        self.tokens.max(1)
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let kind = if self.kind == Kind::Prompt { "prompt" } else { "depth" };
        write!(f, "{kind} {}", self.tokens)
    }
}

/// One setting at one point: every repetition's figures, and the passes of the median run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Cell {
    pub setting: String,
    #[serde(default)]
    pub command: String,
    pub point: Point,
    pub prefill_tokens_per_second: Option<Spread>,
    pub decode_tokens_per_second: Option<Spread>,
    pub time_to_first_token_ms: Option<Spread>,
    /// All forward passes together.
    pub whole_run_ms: Option<Spread>,
    pub peak_memory_bytes: Option<u64>,
    pub prefill_flops: Option<f64>,
    pub roofline: Option<Roofline>,
    #[serde(default)]
    pub forwards: Vec<Pass>,
    /// The decode passes, each the median of all repetitions, over the number of tokens.
    pub fit: Option<Fit>,
}

/// One forward pass: `end` tokens were known to the model after it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Pass {
    pub phase: String,
    pub tokens: usize,
    pub ms: f64,
    #[serde(default)]
    pub end: usize,
    #[serde(default)]
    pub flops: f64,
}

/// What a chapter says about the least that one token costs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Roofline {
    pub weight_bytes_per_token: f64,
    pub kv_bytes_per_token: f64,
    pub flops_per_token: f64,
    pub bandwidth_gb_per_second: f64,
}

/// The part of a chapter's `--json` metrics that a sweep reads.
#[derive(Clone, Debug, Deserialize)]
pub struct Metrics {
    pub machine: Value,
    pub model: String,
    pub stored_as: String,
    pub time_to_first_token_ms: Option<f64>,
    pub prefill_tokens_per_second: Option<f64>,
    pub decode_tokens_per_second: Option<f64>,
    pub peak_memory_bytes: Option<u64>,
    pub roofline: Roofline,
    pub forwards: Vec<Pass>,
}

impl Metrics {
    /// The forward passes of one phase, or of both.
    pub fn passes(&self, decode: bool) -> impl Iterator<Item = &Pass> {
        self.forwards.iter().filter(move |pass| (pass.phase == "decode") == decode)
    }

    pub fn whole_run_ms(&self) -> f64 {
        self.forwards.iter().map(|pass| pass.ms).sum()
    }

    /// At a depth nothing but the decode passes counts; a reply to a prompt is timed as a whole.
    pub fn decode_speed(&self, kind: Kind) -> Option<f64> {
        let (steps, ms) =
            self.passes(true).fold((0, 0.0), |(n, ms), pass| (n + 1, ms + pass.ms));
        match kind {
            Kind::Prompt => self.decode_tokens_per_second,
            Kind::Depth => (ms > 0.0).then(|| f64::from(steps) / ms * 1e3),
        }
    }

    /// Notes beside every pass how far it came and what it computed. A pass over more tokens
    /// than are known yet starts from the beginning again; any other continues.
    pub fn note_work(&mut self, config: &Config) {
        let mut end = 0;
        for pass in &mut self.forwards {
            end = if pass.tokens > end { pass.tokens } else { end + pass.tokens };
            pass.end = end;
            pass.flops = estimate::flops(config, pass.tokens, end);
        }
    }
}

impl Cell {
    pub fn new(setting: &str, command: String, point: Point, runs: &[Metrics]) -> Option<Cell> {
        let spread = |figure: &dyn Fn(&Metrics) -> Option<f64>| {
            runs.iter().map(figure).collect::<Option<_>>().and_then(Spread::new)
        };
        let mut by_time: Vec<&Metrics> = runs.iter().collect();
        by_time.sort_by(|a, b| a.whole_run_ms().total_cmp(&b.whole_run_ms()));
        let median_run = *by_time.get(by_time.len().saturating_sub(1) / 2)?;
        // A repetition that was interrupted must not bend the curve: of each pass the median.
        let over_length: Vec<(f64, f64)> = (0..)
            .map_while(|index| {
                let pass = |run: &Metrics| run.passes(true).nth(index).map(|pass| pass.ms);
                let times = Spread::new(runs.iter().map(pass).collect::<Option<_>>()?)?;
                Some((median_run.passes(true).nth(index)?.end as f64, times.median))
            })
            .collect();
        Some(Cell {
            setting: setting.into(),
            command,
            point,
            prefill_tokens_per_second: spread(&|run| run.prefill_tokens_per_second),
            decode_tokens_per_second: spread(&|run| run.decode_speed(point.kind)),
            time_to_first_token_ms: spread(&|run| run.time_to_first_token_ms),
            whole_run_ms: spread(&|run| Some(run.whole_run_ms())),
            peak_memory_bytes: runs.iter().filter_map(|run| run.peak_memory_bytes).max(),
            prefill_flops: Some(median_run.passes(false).map(|pass| pass.flops).sum()),
            roofline: Some(median_run.roofline.clone()),
            forwards: median_run.forwards.clone(),
            fit: Fit::new(&over_length),
        })
    }
}

/// How many times as fast the second setting is, repetition by repetition.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ratio {
    pub point: Point,
    pub prefill: Option<Spread>,
    pub decode: Option<Spread>,
    pub whole_run: Option<Spread>,
    pub same_tokens: bool,
}

impl Ratio {
    pub fn new(a: &Cell, b: &Cell, same_tokens: bool) -> Ratio {
        let ratios = |over: &Option<Spread>, under: &Option<Spread>| {
            let pairs = over.as_ref()?.raw.iter().zip(&under.as_ref()?.raw);
            Spread::new(pairs.map(|(over, under)| over / under).collect())
        };
        Ratio {
            point: a.point,
            prefill: ratios(&b.prefill_tokens_per_second, &a.prefill_tokens_per_second),
            decode: ratios(&b.decode_tokens_per_second, &a.decode_tokens_per_second),
            // Times, not speeds: the other way round.
            whole_run: ratios(&a.whole_run_ms, &b.whole_run_ms),
            same_tokens,
        }
    }
}

/// All figures in the order in which they were measured, and what they come to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spread {
    pub median: f64,
    pub min: f64,
    pub max: f64,
    #[serde(default)]
    pub raw: Vec<f64>,
}

impl Spread {
    /// `None` when there is nothing to summarise.
    pub fn new(raw: Vec<f64>) -> Option<Spread> {
        let mut sorted = raw.clone();
        sorted.sort_by(f64::total_cmp);
        let (min, max) = (*sorted.first()?, *sorted.last()?);
        let middle = sorted[(sorted.len() - 1) / 2] + sorted[sorted.len() / 2];
        Some(Spread { median: middle / 2.0, min, max, raw })
    }
}

/// Four digits are more than a measurement has.
impl fmt::Display for Spread {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Spread { median, min, max, .. } = self;
        write!(f, "{} ({}-{})", short(*median), short(*min), short(*max))
    }
}

/// A number with about four digits.
pub fn short(value: f64) -> String {
    match value.abs() {
        1000.0.. => format!("{value:.0}"),
        100.0.. => format!("{value:.1}"),
        10.0.. => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
