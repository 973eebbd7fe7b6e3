//! The shape of a synthetic model: a known one, changed flag by flag, if the result can be.

use clap::ValueEnum;
use ground::config::Config;

use super::stored::Kind;
use super::vocabulary::smallest_vocabulary;
use super::{Args, SynthError};

/// The small ones of the family. 14B and 32B are of the same kind, and too large for most machines.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shape {
    #[value(name = "qwen3-0.6b")]
    Tiny,
    #[value(name = "qwen3-1.7b")]
    Small,
    #[value(name = "qwen3-4b")]
    Medium,
    #[value(name = "qwen3-8b")]
    Large,
}

impl Shape {
    /// The numbers are those of `torchtitan/models/qwen3` at github.com/pytorch, but for the context: that is from Qwen's
    /// own `config.json` for 0.6B, and taken to be the same for the others.
    pub fn config(self) -> Config {
        let (layers, hidden, heads, ffn, tied) = match self {
            Shape::Tiny => (28, 1024, 16, 3072, true),
            Shape::Small => (28, 2048, 16, 6144, true),
            Shape::Medium => (36, 2560, 32, 9728, true),
            Shape::Large => (36, 4096, 32, 12_288, false),
        };
        Config {
            name: "synthetic".to_owned(),
            layers,
            hidden,
            heads,
            kv_heads: 8,
            head_dim: 128,
            ffn,
            vocab: 151_936,
            context_length: 40_960,
            rms_eps: 1e-6,
            rope_theta: 1e6,
            eos_ids: Vec::new(), // found in the vocabulary when the file is read
            tied,
            family: ground::config::QWEN3,
        }
    }
}

/// The numbers that the arguments ask for.
pub fn config(args: &Args) -> Result<Config, SynthError> {
    let mut config = args.shape.config();
    for (number, asked) in [
        (&mut config.layers, args.layers),
        (&mut config.hidden, args.hidden),
        (&mut config.heads, args.heads),
        (&mut config.kv_heads, args.kv_heads),
        (&mut config.head_dim, args.head_dim),
        (&mut config.ffn, args.ffn),
        (&mut config.vocab, args.vocab),
        (&mut config.context_length, args.context),
    ] {
        *number = asked.map_or(*number, |asked| asked as usize);
    }
    config.tied &= !args.untied;
    check(&config, args.kind)?;
    Ok(config)
}

/// Rows are whole blocks, and what a reader of the file divides comes out even.
fn check(config: &Config, kind: Kind) -> Result<(), SynthError> {
    let Config { hidden, heads, kv_heads, head_dim, ffn, vocab, .. } = *config;
    let refused = |name, found, expected| Err(SynthError::Shape { name, found, expected });
    if !heads.is_multiple_of(kv_heads) {
        return refused("kv-heads", kv_heads, format!("a divisor of the {heads} heads"));
    }
    if !head_dim.is_multiple_of(2) {
        // The rotary embedding turns pairs.
        return refused("head-dim", head_dim, "a multiple of 2".to_owned());
    }
    let block = kind.block_len();
    for (name, found) in [
        ("hidden", hidden),
        ("heads times head-dim", heads.saturating_mul(head_dim)),
        ("ffn", ffn),
    ] {
        if !found.is_multiple_of(block) {
            let expected = format!("a multiple of {block} for {}", kind.name());
            return refused(name, found, expected);
        }
    }
    let smallest = smallest_vocabulary();
    if vocab < smallest {
        return refused("vocab", vocab, format!("{smallest} or more"));
    }
    Ok(())
}
