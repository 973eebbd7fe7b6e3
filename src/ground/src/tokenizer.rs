//! Text to token ids and back, built from a GGUF file's metadata alone.

mod vocabulary;

pub use vocabulary::byte_alphabet;

use crate::gguf::{Gguf, GgufError};
use crate::text::{NAME, one_line};
use std::ops::Range;
use tokenizers::models::bpe::BPE;
use tokenizers::normalizers::NFC;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{
    AddedToken, Model, NormalizedString, Normalizer, OffsetReferential, OffsetType,
    PreTokenizedString, PreTokenizer, SplitDelimiterBehavior, TokenizerImpl,
};

/// The pieces that Qwen2 and Qwen3 cut a text into; merges stay within a piece.
const QWEN2_PATTERN: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)", // the ends of contractions
    r"|[^\r\n\p{L}\p{N}]?\p{L}+",    // a word, with the one sign or space before it
    r"|\p{N}",                       // a single digit
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*",   // signs
    r"|\s*[\r\n]+",                  // line ends
    r"|\s+(?!\S)", // white space, but the last one goes with the word after it
    r"|\s+",
);

// What `tokenizer.ggml.token_type` says of a token; the others are parts of ordinary text.
const CONTROL: u64 = 3; // <|im_start|>: found in text by its name, and never printed
const ADDED: u64 = 4; // <think>: found in text by its name, and printed
const UNUSED: u64 = 5; // fills the vocabulary up to a round size

/// The tokenizer of one model.
pub struct Tokenizer {
    bpe: TokenizerImpl<BPE, NFC, Sequence, ByteLevel, ByteLevel>,
    tokens: Vec<Token>, // by id
}

struct Token {
    bytes: Vec<u8>, // not always whole characters
    printed: bool,
}

/// Why a tokenizer cannot be built, or an id has no text.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the messages say it
pub enum TokenizerError {
    #[error(transparent)]
    Gguf(#[from] GgufError),
    #[error(
        "{key} is \"{}\", expected {expected:?}: use a Qwen2 or Qwen3 model",
        one_line(found, NAME)
    )]
    Kind { key: &'static str, found: String, expected: &'static str },
    #[error("{tokens} tokens but {types} token types in the file: convert the model again")]
    Lengths { tokens: usize, types: usize },
    #[error(
        "token \"{}\" has two ids, {first} and {second}: convert the model again",
        one_line(token, NAME)
    )]
    Doubled { token: String, first: u32, second: u32 },
    #[error("no token for byte {byte:#04x} in the vocabulary: convert the model again")]
    MissingByte { byte: u8 },
    #[error(
        "merge {number}, \"{}\", does not join two tokens to a third: convert again",
        one_line(merge, NAME)
    )]
    Merge { number: usize, merge: String },
    #[error("no token has id {id}: the last one is {last}")]
    UnknownId { id: u32, last: u32 },
    #[error("the special tokens have {found} bytes, expected at most {most}: it is no Qwen3")]
    Special { found: usize, most: usize },
    #[error("the text cannot be cut into tokens: {}", one_line(&.0.to_string(), 200))]
    Library(#[from] tokenizers::Error),
}

impl Tokenizer {
    /// Builds the tokenizer that a file describes in its metadata.
    pub fn from_gguf(file: &Gguf) -> Result<Tokenizer, TokenizerError> {
        let kind = [("tokenizer.ggml.model", "gpt2"), ("tokenizer.ggml.pre", "qwen2")];
        for (key, expected) in kind {
            let found = file.text(key)?.to_owned();
            if found != expected {
                return Err(TokenizerError::Kind { key, found, expected });
            }
        }
        let texts = file.texts("tokenizer.ggml.tokens")?;
        let types = file.integers("tokenizer.ggml.token_type")?;
        if texts.len() != types.len() {
            return Err(TokenizerError::Lengths { tokens: texts.len(), types: types.len() });
        }
        let alphabet = byte_alphabet();
        let byte_of: vocabulary::Bytes = alphabet.into_iter().zip(0..=255).collect();
        let ids = vocabulary::number(&texts, &alphabet)?;
        let merges = vocabulary::merges(&file.texts("tokenizer.ggml.merges")?, &ids)?;

        let mut tokens = Vec::with_capacity(texts.len());
        let mut names = Vec::new();
        for (&text, &kind) in texts.iter().zip(&types) {
            let named = kind == CONTROL || kind == ADDED;
            if named {
                // Looked for in the text as it comes: NFC might change them.
                names.push(AddedToken::from(text, kind == CONTROL).normalized(false));
            }
            let bytes = (!named).then(|| vocabulary::written(text, &byte_of)).flatten();
            tokens.push(Token {
                bytes: bytes.unwrap_or_else(|| text.as_bytes().to_vec()),
                printed: kind != CONTROL && kind != UNUSED,
            });
        }

        vocabulary::check_special(names.iter().map(|name| name.content.len()).sum())?;
        let model = BPE::builder().vocab_and_merges(ids, merges).build()?;
        let pattern = SplitPattern::Regex(QWEN2_PATTERN.to_owned());
        let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false)?;
        let bytes = ByteLevel::new(false, false, false);
        let mut bpe = TokenizerImpl::new(model);
        bpe.with_normalizer(Some(NFC))?
            .with_pre_tokenizer(Some(Sequence::new(vec![split.into(), bytes.into()])));
        bpe.add_special_tokens(names)?;
        Ok(Tokenizer { bpe, tokens })
    }

    /// The ids of a text, in which the name of a special token stands for that token.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        Ok(self.bpe.encode_fast(text, false)?.get_ids().to_vec())
    }

    /// The ids of a text, in which the name of a special token is characters like any others.
    pub fn encode_plain(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        let mut normalized = NormalizedString::from(text);
        NFC.normalize(&mut normalized)?;
        let mut words = PreTokenizedString::from(normalized);
        if let Some(cutter) = self.bpe.get_pre_tokenizer() {
            cutter.pre_tokenize(&mut words)?;
        }
        words.tokenize(|word| self.bpe.get_model().tokenize(word.get()))?;
        Ok(words.into_encoding(None, 0, OffsetType::None)?.get_ids().to_vec())
    }

    /// The text with `mark` in front of each name of a control token.
    pub fn marked(&self, text: &str, mark: char) -> String {
        let (mut marked, mut done) = (String::new(), 0);
        for (place, _) in self.named(text).into_iter().filter(|(_, id)| self.is_control(*id)) {
            marked.extend([&text[done..place.start], mark.encode_utf8(&mut [0; 4])]);
            done = place.start;
        }
        marked + &text[done..]
    }

    /// The ids of a marked text: without a mark in front of it, the name of a control token is characters like any others.
    /// `seen` gets those that have none.
    pub fn encode_marked<'t>(
        &self,
        text: &'t str,
        mark: char,
        mut seen: impl FnMut(&'t str),
    ) -> Result<Vec<u32>, TokenizerError> {
        let mut ids = Vec::new();
        for (number, part) in text.split(mark).enumerate() {
            let mut done = 0;
            for (place, id) in self.named(part) {
                if self.is_control(id) && (number == 0 || place.start > 0) {
                    seen(&part[place]);
                    continue;
                }
                ids.extend(self.encode_plain(&part[done..place.start])?);
                ids.push(id);
                done = place.end;
            }
            ids.extend(self.encode_plain(&part[done..])?);
        }
        Ok(ids)
    }

    /// Where a text has the names of special tokens.
    fn named(&self, text: &str) -> Vec<(Range<usize>, u32)> {
        let names = self.bpe.get_added_vocabulary();
        let parts = names.extract_and_normalize(None::<&NFC>, text);
        let parts = parts.get_splits(OffsetReferential::Original, OffsetType::Byte);
        let id = |(_, (start, end), tokens): (&str, _, &Option<Vec<tokenizers::Token>>)| {
            Some((start..end, tokens.as_ref()?.first()?.id))
        };
        parts.into_iter().filter_map(id).collect()
    }

    fn is_control(&self, id: u32) -> bool {
        !self.tokens[id as usize].printed
    }

    /// The text of ids, without control tokens; bytes that are not UTF-8 become U+FFFD.
    pub fn decode(&self, ids: &[u32]) -> Result<String, TokenizerError> {
        let mut bytes = Vec::new();
        for &id in ids {
            bytes.extend_from_slice(self.printed_bytes(id)?);
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// One token as people should see it in a table: control tokens by their name.
    pub fn token_text(&self, id: u32) -> Result<String, TokenizerError> {
        Ok(String::from_utf8_lossy(&self.token(id)?.bytes).into_owned())
    }

    /// How many tokens there are; ids run from 0 to one less.
    pub fn vocab_size(&self) -> usize {
        self.tokens.len()
    }

    /// The id of a token written as in the file: special tokens by their name.
    pub fn id_of(&self, token: &str) -> Option<u32> {
        self.bpe.token_to_id(token)
    }

    /// What a token adds to the text: nothing if it is a control token.
    pub fn printed_bytes(&self, id: u32) -> Result<&[u8], TokenizerError> {
        let token = self.token(id)?;
        Ok(if token.printed { &token.bytes } else { &[] })
    }

    fn token(&self, id: u32) -> Result<&Token, TokenizerError> {
        let last = self.tokens.len().saturating_sub(1) as u32;
        self.tokens.get(id as usize).ok_or(TokenizerError::UnknownId { id, last })
    }
}
