//! The numbers that make a model: read from the metadata, then compared with the tensors.

use std::collections::HashSet;
use std::iter::once;

use crate::gguf::{Gguf, GgufError};
use crate::not_a_model;
use crate::text::{NAME, one_line};

/// The numbers of one model.
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
    /// The width of one head. In a Qwen3 it is not `hidden / heads`.
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
    /// What its layers consist of.
    pub family: Family,
}

/// What its models call themselves, and which tensors only some families have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Family {
    /// The name of the architecture in a file, with which all its keys begin.
    pub name: &'static str,
    /// The queries and the keys of each head have a norm.
    pub qk_norm: bool,
    /// Something is added to queries, keys and values.
    pub qkv_bias: bool,
    /// What attention gives has a norm, and so has what the MLP gives.
    pub post_norms: bool,
    /// A file may have a tensor by which rotary frequencies are divided.
    pub rope_factors: bool,
}

/// The family that every chapter runs.
pub const QWEN3: Family = Family {
    name: "qwen3",
    qk_norm: true,
    qkv_bias: false,
    post_norms: false,
    rope_factors: false,
};

/// That tensor: one number for each pair of a head's.
pub const ROPE_FACTORS: &str = "rope_freqs.weight";

/// Why a file does not hold a model that can be run.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Something is missing or has another type.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// Another kind of model.
    #[error(
        "a model of architecture \"{}\", expected {}: {}",
        one_line(found, NAME),
        expected.join(" or "),
        not_a_model::of_architecture(found)
    )]
    Architecture { found: String, expected: Vec<String> },
    /// A file that is of use only with others.
    #[error("it is {found}, expected a whole model: {advice}")]
    Part { found: String, advice: &'static str },
    /// A value that makes no sense or that this engine does not support.
    #[error("metadata key {key:?}: found {found}, expected {expected}")]
    Value { key: String, found: String, expected: String },
    /// A tensor whose shape disagrees with the metadata; shapes are (rows, columns).
    #[error("tensor {name:?}: found shape {found:?}, expected {expected:?} (rows, columns)")]
    Shape { name: String, found: (usize, usize), expected: (usize, usize) },
    /// A tensor that the family does not have.
    #[error(
        "tensor \"{}\" has no place in a {family} of {layers} layers: it is another model",
        one_line(name, NAME)
    )]
    Unexpected { name: String, family: &'static str, layers: usize },
    /// The tokenizer and the embedding disagree.
    #[error("the vocabulary has {tokens} tokens, but \"token_embd.weight\" has {rows} rows")]
    Vocabulary { tokens: usize, rows: usize },
}

impl Config {
    /// The numbers of a Qwen3.
    pub fn from_gguf(file: &Gguf) -> Result<Config, ConfigError> {
        Config::of(file, &[QWEN3])
    }

    /// Reads the numbers of a model of one of these families, and checks that the tensors and the vocabulary agree with them.
    pub fn of(file: &Gguf, families: &[Family]) -> Result<Config, ConfigError> {
        let number = |key| file.integer(key).unwrap_or(0);
        let kind = file.text("general.type").unwrap_or_default();
        let part = not_a_model::of_parts(number("split.no"), number("split.count"), kind);
        if let Some((found, advice)) = part {
            return Err(ConfigError::Part { found, advice });
        }
        let architecture = file.text("general.architecture")?;
        let Some(&family) = families.iter().find(|family| family.name == architecture) else {
            let expected = families.iter().map(|family| format!("{:?}", family.name)).collect();
            return Err(ConfigError::Architecture { found: architecture.to_owned(), expected });
        };
        let key = |name| family.key(name);
        let name =
            if file.has("general.name") { file.text("general.name")? } else { "unnamed" };
        let vocab = file.place("token_embd.weight")?.rows;
        let config = Config {
            name: one_line(name, NAME),
            layers: size(file, &key("block_count"))?,
            hidden: size(file, &key("embedding_length"))?,
            heads: size(file, &key("attention.head_count"))?,
            kv_heads: size(file, &key("attention.head_count_kv"))?,
            head_dim: family.head_dim(file)?,
            ffn: size(file, &key("feed_forward_length"))?,
            vocab,
            context_length: size(file, &key("context_length"))?,
            rms_eps: positive(file, &key("attention.layer_norm_rms_epsilon"))?,
            rope_theta: positive(file, &key("rope.freq_base"))?,
            eos_ids: eos_ids(file, vocab)?,
            tied: !file.has_tensor("output.weight"),
            family,
        };
        config.check_values(file)?;
        config.check_tensors(file)?;
        Ok(config)
    }

    fn check_values(&self, file: &Gguf) -> Result<(), ConfigError> {
        let key = |name| self.family.key(name);
        if !self.heads.is_multiple_of(self.kv_heads) {
            let expected = format!("a divisor of the {} query heads", self.heads);
            return Err(wrong(file, &key("attention.head_count_kv"), expected));
        }
        if !self.head_dim.is_multiple_of(2) {
            // The rotary embedding turns pairs.
            return Err(wrong(file, &key("attention.key_length"), "an even number".to_owned()));
        }
        for name in ["attention.value_length", "rope.dimension_count"] {
            let key = key(name);
            if file.has(&key) && size(file, &key)? != self.head_dim {
                return Err(wrong(file, &key, format!("{}, the key length", self.head_dim)));
            }
        }
        let key = key("rope.scaling.type");
        if file.has(&key) && file.text(&key)? != "none" {
            let expected = "\"none\": a stretched context is not supported";
            return Err(wrong(file, &key, expected.into()));
        }
        Ok(())
    }

    /// Every tensor of a model with these numbers: its name, its rows, its columns.
    pub fn tensors(&self) -> impl Iterator<Item = (String, usize, usize)> {
        let Config { layers, hidden, head_dim, ffn, vocab, tied, .. } = *self;
        let q_width = self.heads.saturating_mul(head_dim);
        let kv_width = self.kv_heads.saturating_mul(head_dim);
        let Family { qk_norm, qkv_bias, post_norms, .. } = self.family;
        let of_each_layer = [
            ("attn_norm.weight", 1, hidden, true),
            ("attn_q.weight", q_width, hidden, true),
            ("attn_k.weight", kv_width, hidden, true),
            ("attn_v.weight", kv_width, hidden, true),
            ("attn_q.bias", 1, q_width, qkv_bias),
            ("attn_k.bias", 1, kv_width, qkv_bias),
            ("attn_v.bias", 1, kv_width, qkv_bias),
            ("attn_q_norm.weight", 1, head_dim, qk_norm),
            ("attn_k_norm.weight", 1, head_dim, qk_norm),
            ("attn_output.weight", hidden, q_width, true),
            ("post_attention_norm.weight", 1, hidden, post_norms),
            ("ffn_norm.weight", 1, hidden, true),
            ("ffn_gate.weight", ffn, hidden, true),
            ("ffn_up.weight", ffn, hidden, true),
            ("ffn_down.weight", hidden, ffn, true),
            ("post_ffw_norm.weight", 1, hidden, post_norms),
        ];
        let of_layers = (0..layers).flat_map(move |layer| {
            let there = of_each_layer.into_iter().filter(|(.., there)| *there);
            there.map(move |(part, rows, columns, _)| {
                (format!("blk.{layer}.{part}"), rows, columns)
            })
        });
        let output = (!tied).then(|| ("output.weight".to_owned(), vocab, hidden));
        once(("token_embd.weight".to_owned(), vocab, hidden))
            .chain(of_layers)
            .chain(once(("output_norm.weight".to_owned(), 1, hidden)))
            .chain(output)
    }

    /// Every tensor of the model is there, and no other: one that is ignored would be missed.
    fn check_tensors(&self, file: &Gguf) -> Result<(), ConfigError> {
        let mut known = HashSet::new();
        // One by one: the list is as long as the file says, and ends here at the first gap.
        let factors = self.family.rope_factors && file.has_tensor(ROPE_FACTORS);
        let factors = factors.then(|| (ROPE_FACTORS.to_owned(), 1, self.head_dim / 2));
        for (name, rows, columns) in self.tensors().chain(factors) {
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
                let (family, layers) = (self.family.name, self.layers);
                Err(ConfigError::Unexpected { name, family, layers })
            }
            None => Ok(()),
        }
    }
}

impl Family {
    /// What the file calls one of the numbers.
    pub fn key(&self, name: &str) -> String {
        format!("{}.{name}", self.name)
    }

    /// The width of a head, which families whose heads share `hidden` among them need not name.
    fn head_dim(&self, file: &Gguf) -> Result<usize, ConfigError> {
        let key = self.key("attention.key_length");
        if self.qk_norm || file.has(&key) {
            return size(file, &key);
        }
        let heads = size(file, &self.key("attention.head_count"))?;
        let hidden = size(file, &self.key("embedding_length"))?;
        if !hidden.is_multiple_of(heads) {
            let expected = format!("a multiple of the {heads} heads");
            return Err(wrong(file, &self.key("embedding_length"), expected));
        }
        Ok(hidden / heads)
    }
}

/// What ends a reply or a document, in any vocabulary that has it.
const ENDS: [&str; 6] = [
    "<|im_end|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end_of_text|>",
    "<end_of_turn>",
];

/// The tokens that end a reply: those the file names, and those of `ENDS`. The
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
        if ENDS.contains(&token) {
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
fn size(file: &Gguf, key: &str) -> Result<usize, ConfigError> {
    match file.integer(key)? {
        found @ 1..=LARGEST => Ok(found as usize),
        _ => Err(wrong(file, key, format!("a number from 1 to {LARGEST}"))),
    }
}

fn positive(file: &Gguf, key: &str) -> Result<f32, ConfigError> {
    let found = file.float(key)? as f32;
    if found > 0.0 && found.is_finite() {
        return Ok(found);
    }
    Err(wrong(file, key, "a number above zero".to_owned()))
}

fn wrong(file: &Gguf, key: &str, expected: String) -> ConfigError {
    ConfigError::Value { key: key.to_owned(), found: file.describe(key), expected }
}
