//! Which random numbers a synthetic model is made of: such that a forward pass stays sane.

use ground::config::Config;
use ground::dtype::StoredType;
use ground::random::SplitMix64;

use super::stored::{Kind, number};

/// One tensor to write: numbers spread around `mean`.
pub struct Planned {
    pub name: String,
    pub rows: u64,
    pub columns: u64,
    pub stored: StoredType,
    mean: f32,
    spread: f32, // standard deviation
}

/// All tensors.
///
/// A matrix whose weights spread by `1 / sqrt(columns)` keeps the size of what passes through.
/// - The logits should spread by 3: then the best of 150,000 stands out by some tenths, and
///   greedy picks are not a matter of rounding. So the embedding spreads by `3 / sqrt(hidden)`.
/// - With tied weights a token's own embedding, if much of it is left at the end, makes the model
///   repeat that token for ever. So the layers together add about 1.5 to the stream, sixteen
///   times the embedding: their output matrices are scaled to that, whatever their number.
/// - Norms of queries and keys around 1.75 make attention choose. Around 1 it would average the
///   past, and the longer that is the less would be left.
pub fn plan(config: &Config, kind: Kind) -> Vec<Planned> {
    let output_gain = 2.5 / (2.0 * config.layers as f32).sqrt();
    let planned = |(name, rows, columns): (String, usize, usize)| {
        let matrix =
            |gain: f32| (kind.of_matrix(&name, config), 0.0, gain / (columns as f32).sqrt());
        let norm = |mean: f32| (StoredType::F32, mean, 0.05);
        let part = name.trim_end_matches(".weight").rsplit('.').next().unwrap_or_default();
        let (stored, mean, spread) = match part {
            "token_embd" | "output" => matrix(3.0),
            "attn_output" | "ffn_down" => matrix(output_gain),
            "attn_q_norm" | "attn_k_norm" => norm(1.75),
            "attn_norm" | "ffn_norm" | "output_norm" => norm(1.0),
            _ => matrix(1.0),
        };
        Planned { name, rows: rows as u64, columns: columns as u64, stored, mean, spread }
    };
    config.tensors().map(planned).collect()
}

impl Planned {
    /// How many bytes it takes in the file.
    pub fn bytes(&self) -> u64 {
        number(self.stored).checked_calculate_size(self.count()).unwrap_or(u64::MAX)
    }

    /// How many numbers it has.
    pub fn count(&self) -> u64 {
        self.rows.saturating_mul(self.columns)
    }

    /// Its `i`-th number, with the seed of this tensor.
    pub fn number(&self, seed: u64, i: u64) -> f32 {
        self.mean + self.spread * normal(SplitMix64::number(seed, i))
    }
}

/// Nearly normal, mean 0, standard deviation 1: the sum of four even draws of 16 bits.
fn normal(bits: u64) -> f32 {
    // The sum has mean 4 * 32767.5 and this deviation.
    let sum = (bits & 0xFFFF) + (bits >> 16 & 0xFFFF) + (bits >> 32 & 0xFFFF) + (bits >> 48);
    (sum as f32 - 131_070.0) / 37_837.227
}
