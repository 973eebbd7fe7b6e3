//! The numbers that make a Qwen3: read from the metadata, then compared with the shape of every tensor.

use crate::gguf::{Gguf, GgufError};

/// A Qwen3's numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// What the file calls the model.
    pub name: String,
    /// How many layers follow each other.
    pub layers: usize,
    /// The width of the stream of numbers that runs through the layers.
    pub hidden: usize,
    /// How many heads ask: query heads.
    pub heads: usize,
    /// How many heads answer: key and value heads, each shared by `heads / kv_heads` query heads.
    pub kv_heads: usize,
    /// The width of one head; not `hidden / heads`.
    pub head_dim: usize,
    /// The inner width of the feed-forward part.
    pub ffn: usize,
    /// How many tokens there are.
    pub vocab: usize,
    /// How many positions the model was made for.
    pub context_length: usize,
    /// What keeps the norms from dividing by zero.
    pub rms_eps: f32,
    /// The base of the rotary angles.
    pub rope_theta: f32,
    /// The tokens that end a reply.
    pub eos_ids: Vec<u32>,
    /// Whether the logits are computed with the embedding's own weights, for want of others in the file.
    pub tied: bool,
}

/// Why a file is no Qwen3 that can be run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum ConfigError {
    #[error(transparent)]
    Gguf(#[from] GgufError),
    #[error(
        "a model of architecture {found:?}, expected \"qwen3\": only Qwen3 models can be run"
    )]
    Architecture { found: String },
    #[error("metadata key {key:?}: found {found}, expected {expected}")]
    Number { key: String, found: String, expected: String },
    #[error("tensor {name:?}: found {} x {} (rows x columns), expected {} x {}", found.0, found.1, expected.0, expected.1)]
    Shape { name: String, found: (usize, usize), expected: (usize, usize) },
    #[error(
        "tensor {name:?}: a Qwen3 of {layers} layers has none of this name, so the file holds another model"
    )]
    Unexpected { name: String, layers: usize },
    #[error(
        "the vocabulary has {tokens} tokens, but \"token_embd.weight\" has {rows} rows: convert the model again"
    )]
    Vocabulary { tokens: usize, rows: usize },
}

impl Config {
    /// Reads the numbers and checks that all tensors are there, in the shape that the numbers ask for.
    pub fn from_gguf(file: &Gguf) -> Result<Config, ConfigError> {
        let architecture = file.text("general.architecture")?;
        if architecture != "qwen3" {
            return Err(ConfigError::Architecture { found: architecture.to_owned() });
        }
        let heads = size(file, "qwen3.attention.head_count")?;
        let config = Config {
            name: if file.has("general.name") {
                file.text("general.name")?.to_owned()
            } else {
                "unnamed".to_owned()
            },
            layers: size(file, "qwen3.block_count")?,
            hidden: size(file, "qwen3.embedding_length")?,
            heads,
            kv_heads: size(file, "qwen3.attention.head_count_kv")?,
            head_dim: size(file, "qwen3.attention.key_length")?,
            ffn: size(file, "qwen3.feed_forward_length")?,
            vocab: file.tensor("token_embd.weight")?.rows,
            context_length: size(file, "qwen3.context_length")?,
            rms_eps: positive(file, "qwen3.attention.layer_norm_rms_epsilon")?,
            rope_theta: positive(file, "qwen3.rope.freq_base")?,
            eos_ids: Vec::new(),
            tied: !file.has_tensor("output.weight"),
        };
        config.check_numbers(file)?;
        config.check_tensors(file)?;
        let eos_ids = config.check_vocabulary(file)?;
        Ok(Config { eos_ids, ..config })
    }

    fn check_numbers(&self, file: &Gguf) -> Result<(), ConfigError> {
        let wrong = |key: &str, expected: String| {
            Err(ConfigError::Number {
                key: key.to_owned(),
                found: file.describe(key),
                expected,
            })
        };
        if !self.heads.is_multiple_of(self.kv_heads) {
            return wrong(
                "qwen3.attention.head_count_kv",
                format!("a divisor of the {} heads", self.heads),
            );
        }
        if !self.head_dim.is_multiple_of(2) {
            return wrong(
                "qwen3.attention.key_length",
                "an even number: rotary embedding turns pairs".to_owned(),
            );
        }
        let key = "qwen3.attention.value_length";
        if file.has(key) && size(file, key)? != self.head_dim {
            return wrong(key, format!("{}, the same as the key length", self.head_dim));
        }
        let key = "qwen3.rope.scaling.type";
        if file.has(key) && file.text(key)? != "none" {
            return wrong(
                key,
                "\"none\": take the model without a stretched context".to_owned(),
            );
        }
        Ok(())
    }

    /// Every tensor a Qwen3 has must be there, and nothing else: what this engine would ignore, the model would miss.
    fn check_tensors(&self, file: &Gguf) -> Result<(), ConfigError> {
        let (q_width, kv_width) = (self.heads * self.head_dim, self.kv_heads * self.head_dim);
        let in_each_layer = [
            // (name, rows, columns)
            ("attn_norm", 1, self.hidden),
            ("attn_q", q_width, self.hidden),
            ("attn_k", kv_width, self.hidden),
            ("attn_v", kv_width, self.hidden),
            ("attn_q_norm", 1, self.head_dim),
            ("attn_k_norm", 1, self.head_dim),
            ("attn_output", self.hidden, q_width),
            ("ffn_norm", 1, self.hidden),
            ("ffn_gate", self.ffn, self.hidden),
            ("ffn_up", self.ffn, self.hidden),
            ("ffn_down", self.hidden, self.ffn),
        ];
        check_shape(file, "token_embd.weight", (self.vocab, self.hidden))?;
        check_shape(file, "output_norm.weight", (1, self.hidden))?;
        if !self.tied {
            check_shape(file, "output.weight", (self.vocab, self.hidden))?;
        }
        for layer in 0..self.layers {
            for (name, rows, columns) in in_each_layer {
                check_shape(file, &format!("blk.{layer}.{name}.weight"), (rows, columns))?;
            }
        }
        let belongs = |name: &str| {
            let of_a_layer = name
                .strip_prefix("blk.")
                .and_then(|rest| rest.strip_suffix(".weight")?.split_once('.'));
            match of_a_layer {
                Some((layer, part)) => {
                    layer.parse::<usize>().is_ok_and(|layer| layer < self.layers)
                        && in_each_layer.iter().any(|(name, ..)| *name == part)
                }
                None => {
                    ["token_embd.weight", "output_norm.weight", "output.weight"].contains(&name)
                }
            }
        };
        match file.tensors().find(|tensor| !belongs(tensor.name)) {
            Some(tensor) => Err(ConfigError::Unexpected {
                name: tensor.name.to_owned(),
                layers: self.layers,
            }),
            None => Ok(()),
        }
    }

    /// The vocabulary must have one token per row of the embedding; returns the tokens that end a reply.
    fn check_vocabulary(&self, file: &Gguf) -> Result<Vec<u32>, ConfigError> {
        let tokens = file.texts("tokenizer.ggml.tokens")?;
        if tokens.len() != self.vocab {
            return Err(ConfigError::Vocabulary { tokens: tokens.len(), rows: self.vocab });
        }
        let mut eos_ids = Vec::new();
        for key in ["tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"] {
            if file.has(key) {
                let id = file.integer(key)?;
                if id >= self.vocab as u64 {
                    let expected = format!("an id below {}", self.vocab);
                    return Err(ConfigError::Number {
                        key: key.to_owned(),
                        found: id.to_string(),
                        expected,
                    });
                }
                eos_ids.push(id as u32);
            }
        }
        // Either of these two ends a reply, whichever of them the file names.
        let is_end = |token: &&str| matches!(*token, "<|im_end|>" | "<|endoftext|>");
        eos_ids.extend(
            tokens
                .iter()
                .enumerate()
                .filter(|(_, token)| is_end(token))
                .map(|(id, _)| id as u32),
        );
        eos_ids.sort_unstable();
        eos_ids.dedup();
        Ok(eos_ids)
    }
}

/// A count: at least one, and small enough that the product of two of them cannot overflow.
fn size(file: &Gguf, key: &str) -> Result<usize, ConfigError> {
    let found = file.integer(key)?;
    if found == 0 || found > i32::MAX as u64 {
        let expected = "a whole number from 1 to 2147483647".to_owned();
        return Err(ConfigError::Number {
            key: key.to_owned(),
            found: found.to_string(),
            expected,
        });
    }
    Ok(found as usize)
}

fn positive(file: &Gguf, key: &str) -> Result<f32, ConfigError> {
    let found = file.float(key)? as f32;
    if !(found > 0.0 && found.is_finite()) {
        let expected = "a number above zero".to_owned();
        return Err(ConfigError::Number {
            key: key.to_owned(),
            found: found.to_string(),
            expected,
        });
    }
    Ok(found)
}

fn check_shape(file: &Gguf, name: &str, expected: (usize, usize)) -> Result<(), ConfigError> {
    let tensor = file.tensor(name)?;
    let found = (tensor.rows, tensor.columns);
    if found != expected {
        return Err(ConfigError::Shape { name: name.to_owned(), found, expected });
    }
    Ok(())
}
