//! The most that a machine allows: what a token needs, and what memory delivers.

use ground::config::Config;
use serde::Serialize;

/// What one decode step has to read and compute at least, and how fast this machine could do it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Roofline {
    pub weight_bytes_per_token: usize,
    pub kv_bytes_per_token: usize, // at the depth of the middle decode step
    pub flops_per_token: usize,
    pub bandwidth_gb_per_second: Option<f64>, // None: not measured
    pub bound_tokens_per_second: Option<f64>,
    pub share_of_bound: Option<f64>, // of the decode speed that was measured
}

/// What a program that loses nothing reads for one token.
#[derive(Clone, Copy, Debug)]
pub struct BytesRead {
    pub weights: usize,      // all matrices that a token goes through
    pub per_position: usize, // keys and values of each position before it
}

impl Roofline {
    /// `depth`: the tokens before this one.
    pub fn new(config: &Config, bytes: BytesRead, depth: usize) -> Roofline {
        Roofline {
            weight_bytes_per_token: bytes.weights,
            kv_bytes_per_token: bytes.per_position * depth,
            flops_per_token: flops_per_token(config, depth),
            bandwidth_gb_per_second: None,
            bound_tokens_per_second: None,
            share_of_bound: None,
        }
    }

    /// The most that decode could do with memory that gives `bandwidth` bytes per second.
    pub fn bound(&mut self, bandwidth: f64, tokens_per_second: Option<f64>) {
        let bytes = self.weight_bytes_per_token + self.kv_bytes_per_token;
        let bound = bandwidth / bytes as f64;
        self.bandwidth_gb_per_second = Some(bandwidth / 1e9);
        self.bound_tokens_per_second = Some(bound);
        self.share_of_bound = tokens_per_second.map(|speed| speed / bound);
    }
}

/// The keys and values that attention reads for each earlier position, as f32.
pub fn kv_bytes_per_position(config: &Config) -> usize {
    2 * config.layers * config.kv_heads * config.head_dim * size_of::<f32>()
}

/// Multiplications and additions for one token that has `depth` tokens before it, with the head.
pub fn flops_per_token(config: &Config, depth: usize) -> usize {
    let (query, key) = (config.heads * config.head_dim, config.kv_heads * config.head_dim);
    let projections = config.hidden * (query + 2 * key) + query * config.hidden;
    let mlp = 3 * config.hidden * config.ffn;
    let attention = 2 * query * (depth + 1); // scores, then the mix of the values
    2 * (config.layers * (projections + mlp + attention) + config.vocab * config.hidden)
}
