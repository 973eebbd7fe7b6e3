//! What a chapter's `--json` says of one run, as far as a sweep reads it.

use ground::config::Config;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::point::Kind;

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
            pass.flops = flops(config, pass.tokens, end);
        }
    }
}

/// Multiplications and additions of one pass over the `tokens` tokens up to `end`, with the head
/// for the last one.
pub fn flops(config: &Config, tokens: usize, end: usize) -> f64 {
    let (query, key) = (config.heads * config.head_dim, config.kv_heads * config.head_dim);
    let projections = config.hidden * (query + 2 * key) + query * config.hidden;
    let mlp = 3 * config.hidden * config.ffn;
    // Every token looks at itself and at all before it: once for the scores, once for the values.
    let keys = tokens as f64 * (2 * end + 1 - tokens.min(end)) as f64 / 2.0;
    let layer = (tokens * (projections + mlp)) as f64 + 2.0 * query as f64 * keys;
    2.0 * (config.layers as f64 * layer + (config.vocab * config.hidden) as f64)
}
