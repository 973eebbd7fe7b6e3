//! A made-up byte-level vocabulary of any size, for `synth`: the 256 bytes, merges of letters
//! that real text can use, and Qwen's special tokens.

use gguf_rs_lib::error::GGUFError;
use gguf_rs_lib::format::{GGUFValueType, MetadataArray, MetadataValue};
use ground::tokenizer::byte_alphabet;

/// The letters, frequent ones first: tokens of a small vocabulary still fit English words.
const LETTERS: &str = "etaoinshrdlucmfwypvbgkjqxz";

const CONTROL: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
const THINK: [&str; 2] = ["<think>", "</think>"];

/// Tokens, their types, and the merges that lead to them.
pub struct Vocabulary {
    tokens: Vec<String>,
    types: Vec<i32>,
    merges: Vec<String>,
}

/// The 256 bytes and the special tokens.
pub fn smallest_vocabulary() -> usize {
    256 + CONTROL.len() + THINK.len()
}

impl Vocabulary {
    /// Exactly `size` tokens; a large one is laid out as Qwen3's is, so that 151,936 tokens put
    /// <|endoftext|> at 151,643 and <think> at 151,667, and leave the last 267 unused.
    pub fn new(size: usize) -> Vocabulary {
        let special = if size > 10_000 { 293 } else { CONTROL.len() + THINK.len() };
        let mut tokens: Vec<String> = byte_alphabet().map(String::from).to_vec();
        let mut merges = Vec::new();
        for (left, right) in pairs() {
            if tokens.len() + special >= size {
                break;
            }
            merges.push(format!("{left} {right}"));
            tokens.push(left + &right);
        }
        let mut types = vec![1; tokens.len()]; // ordinary
        let mut add = |token: String, kind: i32| {
            tokens.push(token);
            types.push(kind);
        };
        CONTROL.iter().for_each(|token| add(token.to_string(), 3));
        if special > 5 {
            (0..21).for_each(|i| add(format!("<|unused_{i}|>"), 5));
        }
        THINK.iter().for_each(|token| add(token.to_string(), 4));
        let first = tokens.len();
        for id in first..size {
            tokens.push(format!("[PAD{id}]"));
            types.push(5); // unused
        }
        Vocabulary { tokens, types, merges }
    }

    /// The id of one of the tokens above.
    pub fn id_of(&self, token: &str) -> usize {
        self.tokens.iter().position(|t| t == token).unwrap_or_default()
    }

    /// The three lists under the keys where a GGUF file keeps them.
    pub fn into_metadata(self) -> Result<[(&'static str, MetadataValue); 3], GGUFError> {
        let types = self.types.into_iter().map(MetadataValue::I32).collect();
        Ok([
            ("tokenizer.ggml.tokens", list_of_texts(self.tokens)?),
            ("tokenizer.ggml.merges", list_of_texts(self.merges)?),
            ("tokenizer.ggml.token_type", list(GGUFValueType::I32, types)?),
        ])
    }
}

fn list_of_texts(texts: Vec<String>) -> Result<MetadataValue, GGUFError> {
    list(GGUFValueType::String, texts.into_iter().map(MetadataValue::String).collect())
}

fn list(kind: GGUFValueType, values: Vec<MetadataValue>) -> Result<MetadataValue, GGUFError> {
    Ok(MetadataValue::Array(Box::new(MetadataArray::new(kind, values)?)))
}

/// Merges in order: two letters, a space before those, then four letters from two twos. Each
/// result is made by one merge only, and there are more of them than any Qwen3 has tokens.
fn pairs() -> impl Iterator<Item = (String, String)> {
    let space = byte_alphabet()[usize::from(b' ')].to_string();
    let twos: Vec<String> = by_rank(26, |i, j| {
        let letter = |i: usize| char::from(LETTERS.as_bytes()[i]);
        format!("{}{}", letter(i), letter(j))
    })
    .collect();
    let letters: Vec<String> = LETTERS.chars().map(String::from).collect();
    let halves: Vec<(String, String)> =
        twos.iter().map(|two| (two[..1].to_owned(), two[1..].to_owned())).collect();
    let with_space: Vec<(String, String)> =
        letters.into_iter().chain(twos.clone()).map(|end| (space.clone(), end)).collect();
    let fours = by_rank(twos.len(), move |i, j| (twos[i].clone(), twos[j].clone()));
    halves.into_iter().chain(with_space).chain(fours)
}

/// All pairs of indices below `end`, those with a small sum first.
fn by_rank<T>(end: usize, pair: impl Fn(usize, usize) -> T) -> impl Iterator<Item = T> {
    let indices = (0..2 * end - 1).flat_map(move |sum| {
        (sum.saturating_sub(end - 1)..=sum.min(end - 1)).map(move |i| (i, sum - i))
    });
    indices.map(move |(i, j)| pair(i, j))
}
