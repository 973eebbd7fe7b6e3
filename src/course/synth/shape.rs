//! The shape of a synthetic model: a known one, changed flag by flag, if the result can be.

use clap::ValueEnum;
use ground::config::Config;

use super::stored::Kind;
use super::vocabulary::smallest_vocabulary;
use super::{Args, SynthError};

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Shape {
    #[value(name = "qwen3-0.6b")]
    Qwen3Small,
}

impl Shape {
    fn config(self) -> Config {
        match self {
            Shape::Qwen3Small => Config {
                name: "synthetic".to_owned(),
                layers: 28,
                hidden: 1024,
                heads: 16,
                kv_heads: 8,
                head_dim: 128,
                ffn: 3072,
                vocab: 151_936,
                context_length: 40_960,
                rms_eps: 1e-6,
                rope_theta: 1e6,
                eos_ids: Vec::new(), // found in the vocabulary when the file is read
                tied: true,
            },
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
