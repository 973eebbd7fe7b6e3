//! What a sweep writes down, and what the plotter reads.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::fit::Fit;
pub use super::metrics::{Metrics, Pass, Roofline};
pub use super::point::{Kind, Point};
pub use super::spread::{Spread, short};

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
    /// Of the second.
    #[serde(default)]
    pub setting: String,
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
            setting: b.setting.clone(),
            point: a.point,
            prefill: ratios(&b.prefill_tokens_per_second, &a.prefill_tokens_per_second),
            decode: ratios(&b.decode_tokens_per_second, &a.decode_tokens_per_second),
            // Times, not speeds: the other way round.
            whole_run: ratios(&a.whole_run_ms, &b.whole_run_ms),
            same_tokens,
        }
    }
}
