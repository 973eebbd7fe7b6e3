//! The numbers that make a Qwen3: read from the metadata, then compared with the tensors.

use std::collections::HashSet;
use std::iter::once;

use crate::gguf::{Gguf, GgufError};
use crate::not_a_model;
use crate::text::{NAME, one_line};

/// The numbers of one Qwen3.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What the file calls the model, as it may be shown.
    pub name: String,
    /// How many layers follow each other.
    pub layers: usize,
    /// How many numbers a token is made of between the layers.
    pub hidden: usize,
    /// How many query heads a layer has.
    pub heads: usize,
    /// How many key and value heads; each serves `heads / kv_heads` query heads.
    pub kv_heads: usize,
    /// The width of one head. It is not `hidden / heads`.
    pub head_dim: usize,
    /// The inner width of the feed-forward network.
    pub ffn: usize,
    /// How many tokens there are.
    pub vocab: usize,
    /// How many positions the model was made for. Any number: no reason to allocate that much.
    pub context_length: usize,
    /// Keeps a norm from dividing by zero.
    pub rms_eps: f32,
    /// The base of the rotary angles.
    pub rope_theta: f32,
    /// The tokens that end a reply.
    pub eos_ids: Vec<u32>,
    /// Whether the embedding's weights also compute the logits: the file has no others.
    pub tied: bool,
}

/// Why a file does not hold a Qwen3 that can be run.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Something is missing or has another type.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// Another kind of model.
    #[error(
        "a model of architecture \"{}\", expected \"qwen3\": {}",
        one_line(found, NAME),
        not_a_model::of_architecture(found)
    )]
    Architecture { found: String },
    /// A file that is of use only with others.
    #[error("it is {found}, expected a whole model: {advice}")]
    Part { found: String, advice: &'static str },
    /// A value that makes no sense or that this engine does not support.
    #[error("metadata key {key:?}: found {found}, expected {expected}")]
    Value { key: &'static str, found: String, expected: String },
    /// A tensor whose shape disagrees with the metadata; shapes are (rows, columns).
    #[error("tensor {name:?}: found shape {found:?}, expected {expected:?} (rows, columns)")]
    Shape { name: String, found: (usize, usize), expected: (usize, usize) },
    /// A tensor that a Qwen3 does not have.
    #[error(
        "tensor \"{}\" has no place in a Qwen3 of {layers} layers: it is another model",
        one_line(name, NAME)
    )]
    Unexpected { name: String, layers: usize },
    /// The tokenizer and the embedding disagree.
    #[error("the vocabulary has {tokens} tokens, but \"token_embd.weight\" has {rows} rows")]
    Vocabulary { tokens: usize, rows: usize },
}

impl Config {
    /// Reads the numbers, and checks that the tensors and the vocabulary agree with them.
    pub fn from_gguf(file: &Gguf) -> Result<Config, ConfigError> {
        let number = |key| file.integer(key).unwrap_or(0);
        let kind = file.text("general.type").unwrap_or_default();
        let part = not_a_model::of_parts(number("split.no"), number("split.count"), kind);
        if let Some((found, advice)) = part {
            return Err(ConfigError::Part { found, advice });
        }
        let architecture = file.text("general.architecture")?;
        if architecture != "qwen3" {
            return Err(ConfigError::Architecture { found: architecture.to_owned() });
        }
        let name =
            if file.has("general.name") { file.text("general.name")? } else { "unnamed" };
        let vocab = file.place("token_embd.weight")?.rows;
        let config = Config {
            name: one_line(name, NAME),
            layers: size(file, "qwen3.block_count")?,
            hidden: size(file, "qwen3.embedding_length")?,
            heads: size(file, "qwen3.attention.head_count")?,
            kv_heads: size(file, "qwen3.attention.head_count_kv")?,
            head_dim: size(file, "qwen3.attention.key_length")?,
            ffn: size(file, "qwen3.feed_forward_length")?,
            vocab,
            context_length: size(file, "qwen3.context_length")?,
            rms_eps: positive(file, "qwen3.attention.layer_norm_rms_epsilon")?,
            rope_theta: positive(file, "qwen3.rope.freq_base")?,
            eos_ids: eos_ids(file, vocab)?,
            tied: !file.has_tensor("output.weight"),
        };
        config.check_values(file)?;
        config.check_tensors(file)?;
        Ok(config)
    }

    fn check_values(&self, file: &Gguf) -> Result<(), ConfigError> {
        if !self.heads.is_multiple_of(self.kv_heads) {
            let expected = format!("a divisor of the {} query heads", self.heads);
            return Err(wrong(file, "qwen3.attention.head_count_kv", expected));
        }
        if !self.head_dim.is_multiple_of(2) {
            // The rotary embedding turns pairs.
            return Err(wrong(file, "qwen3.attention.key_length", "an even number".to_owned()));
        }
        let key = "qwen3.attention.value_length";
        if file.has(key) && size(file, key)? != self.head_dim {
            return Err(wrong(file, key, format!("{}, the key length", self.head_dim)));
        }
        let key = "qwen3.rope.scaling.type";
        if file.has(key) && file.text(key)? != "none" {
            return Err(wrong(
                file,
                key,
                "\"none\": a stretched context is not supported".into(),
            ));
        }
        Ok(())
    }

    /// Every tensor of a Qwen3 with these numbers: its name, its rows, its columns.
    pub fn tensors(&self) -> impl Iterator<Item = (String, usize, usize)> {
        let Config { layers, hidden, head_dim, ffn, vocab, tied, .. } = *self;
        let q_width = self.heads.saturating_mul(head_dim);
        let kv_width = self.kv_heads.saturating_mul(head_dim);
        let of_each_layer = [
            ("attn_norm", 1, hidden),
            ("attn_q", q_width, hidden),
            ("attn_k", kv_width, hidden),
            ("attn_v", kv_width, hidden),
            ("attn_q_norm", 1, head_dim),
            ("attn_k_norm", 1, head_dim),
            ("attn_output", hidden, q_width),
            ("ffn_norm", 1, hidden),
            ("ffn_gate", ffn, hidden),
            ("ffn_up", ffn, hidden),
            ("ffn_down", hidden, ffn),
        ];
        let of_layers = (0..layers).flat_map(move |layer| {
            let in_layer = |part| format!("blk.{layer}.{part}.weight");
            of_each_layer.map(|(part, rows, columns)| (in_layer(part), rows, columns))
        });
        let output = (!tied).then(|| ("output.weight".to_owned(), vocab, hidden));
        once(("token_embd.weight".to_owned(), vocab, hidden))
            .chain(of_layers)
            .chain(once(("output_norm.weight".to_owned(), 1, hidden)))
            .chain(output)
    }

    /// Every tensor of a Qwen3 is there, and no other: one that is ignored would be missed.
    fn check_tensors(&self, file: &Gguf) -> Result<(), ConfigError> {
        let mut known = HashSet::new();
        // One by one: the list is as long as the file says, and ends here at the first gap.
        for (name, rows, columns) in self.tensors() {
            let place = file.place(&name)?;
            let (found, expected) = ((place.rows, place.columns), (rows, columns));
            if found != expected {
                return Err(ConfigError::Shape { name, found, expected });
            }
            known.insert(name);
        }
        match file.places().iter().find(|place| !known.contains(&place.name)) {
            Some(place) => {
                let name = place.name.clone();
                Err(ConfigError::Unexpected { name, layers: self.layers })
            }
            None => Ok(()),
        }
    }
}

/// The tokens that end a reply: those the file names, and Qwen's two by their text. The
/// vocabulary must have one token for each row of the embedding.
fn eos_ids(file: &Gguf, vocab: usize) -> Result<Vec<u32>, ConfigError> {
    let tokens = file.texts("tokenizer.ggml.tokens")?;
    if tokens.len() != vocab {
        return Err(ConfigError::Vocabulary { tokens: tokens.len(), rows: vocab });
    }
    let mut ids = Vec::new();
    for key in ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"] {
        if file.has(key) {
            let id = file.integer(key)?;
            if id >= vocab as u64 {
                return Err(wrong(file, key, format!("an id below {vocab}")));
            }
            ids.push(id as u32);
        }
    }
    for (id, token) in tokens.into_iter().enumerate() {
        if token == "<|im_end|>" || token == "<|endoftext|>" {
            ids.push(id as u32);
        }
    }
    ids.sort_unstable();
    ids.dedup();
    Ok(ids)
}

/// The product of two numbers up to this never overflows, on 32 bits as on 64.
const LARGEST: u64 = if usize::BITS < 64 { 0xffff } else { 0x7fff_ffff };

/// A count: at least one, and so small that it can be multiplied with another.
fn size(file: &Gguf, key: &'static str) -> Result<usize, ConfigError> {
    match file.integer(key)? {
        found @ 1..=LARGEST => Ok(found as usize),
        _ => Err(wrong(file, key, format!("a number from 1 to {LARGEST}"))),
    }
}

fn positive(file: &Gguf, key: &'static str) -> Result<f32, ConfigError> {
    let found = file.float(key)? as f32;
    if found > 0.0 && found.is_finite() {
        return Ok(found);
    }
    Err(wrong(file, key, "a number above zero".to_owned()))
}

fn wrong(file: &Gguf, key: &'static str, expected: String) -> ConfigError {
    ConfigError::Value { key, found: file.describe(key), expected }
}
