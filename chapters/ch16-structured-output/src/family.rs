//! In what the families differ, as data: a family is a line of a table, and no loop asks for its name.

use ground::config::{Config, Family, QWEN3};
use ground::error::Error;
use ground::gguf::Gguf;

/// What a family's layers do otherwise than a Qwen3's.
#[derive(Clone, Copy, Debug)]
pub struct Traits {
    /// The name of its keys, and which tensors its layers have.
    pub parts: Family,
    /// The rotary embedding turns number 2i of a head against number 2i + 1, and not against one in the other half.
    pub neighbours: bool,
    /// The gates of the MLP are GELU, not SiLU.
    pub gelu: bool,
    /// What the embedding gives is multiplied by the root of its width.
    pub scaled: bool,
    /// Most layers see only the last few keys.
    pub window: Option<Window>,
}

/// Of so many layers all but the last have a window, which the file gives.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    pub period: usize,
    /// The base of the rotary angles in those layers, if the file doesn't say.
    pub theta: f32,
}

const OWN: Traits =
    Traits { parts: QWEN3, neighbours: false, gelu: false, scaled: false, window: None };

/// Every family that this chapter runs.
pub const ALL: [Traits; 4] = [
    OWN,
    Traits {
        parts: Family { name: "llama", qk_norm: false, rope_factors: true, ..QWEN3 },
        neighbours: true,
        ..OWN
    },
    Traits { parts: Family { name: "qwen2", qk_norm: false, qkv_bias: true, ..QWEN3 }, ..OWN },
    Traits {
        parts: Family { name: "gemma3", post_norms: true, ..QWEN3 },
        gelu: true,
        scaled: true,
        window: Some(Window { period: 6, theta: 1e4 }),
        ..OWN
    },
];

/// Their names and tensors, for those who open files.
pub const PARTS: [Family; 4] = [ALL[0].parts, ALL[1].parts, ALL[2].parts, ALL[3].parts];

/// The keys that we know, after the name of the family. Another one would say something that we don't do.
const KEYS: [&str; 18] = [
    "attention.head_count",
    "attention.head_count_kv",
    "attention.key_length",
    "attention.layer_norm_rms_epsilon",
    "attention.sliding_window",
    "attention.value_length",
    "block_count",
    "context_length",
    "embedding_length",
    "feed_forward_length",
    "rope.dimension_count",
    "rope.freq_base",
    "rope.freq_base_swa",
    "rope.scaling.factor",
    "rope.scaling.finetuned",
    "rope.scaling.original_context_length",
    "rope.scaling.type",
    "vocab_size",
];

/// The largest Gemma 3 divides its scores by another number than the others, and its file doesn't say which.
const LARGEST_GEMMA: usize = 62;

impl Traits {
    /// Of a file with these numbers.
    pub fn of(file: &Gguf, config: &Config) -> Result<Traits, Error> {
        let traits = ALL.into_iter().find(|traits| traits.parts == config.family);
        let traits =
            traits.ok_or_else(|| Error::chapter("the model is of no family we know"))?;
        let own = |key: &&str| {
            key.strip_prefix(traits.parts.name)?.strip_prefix('.').map(str::to_owned)
        };
        let unknown =
            file.keys().filter_map(|key| own(&key)).find(|key| !KEYS.contains(&key.as_str()));
        if let Some(key) = unknown {
            let key = ground::text::one_line(&traits.parts.key(&key), ground::text::NAME);
            return Err(Error::chapter(format!(
                "metadata key {key:?}: we don't know what it asks for"
            )));
        }
        if traits.scaled && config.layers == LARGEST_GEMMA {
            return Err(Error::chapter(
                "a Gemma 3 of 27B scales its scores in its own way: take a smaller one",
            ));
        }
        Ok(traits)
    }
}
