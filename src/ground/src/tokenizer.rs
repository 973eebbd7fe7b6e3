//! Text to token ids and back, built from a GGUF file's metadata alone.

mod by_score;
mod cut;
mod vocabulary;

pub use vocabulary::byte_alphabet;

use crate::gguf::{Gguf, GgufError};
use crate::text::{NAME, one_line};
use by_score::{ByScore, SPACE};
use cut::Cut;
use std::ops::Range;
use std::sync::OnceLock;
use tokenizers::models::bpe::BPE;
use tokenizers::normalizers::NFC;
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::pre_tokenizers::split::{Split, SplitPattern};
use tokenizers::{
    AddedToken, Model, NormalizedString, Normalizer, OffsetReferential, OffsetType,
    PreTokenizedString, PreTokenizer, SplitDelimiterBehavior, TokenizerImpl,
};

// What `tokenizer.ggml.token_type` says of a token; the others are parts of ordinary text.
const NORMAL: u64 = 1;
const CONTROL: u64 = 3; // <|im_start|>: found in text by its name, and never printed
const ADDED: u64 = 4; // <think>: found in text by its name, and printed
const UNUSED: u64 = 5; // fills the vocabulary up to a round size
const BYTE: u64 = 6; // <0x0A>, of a vocabulary with scores

/// The tokenizer of one model.
pub struct Tokenizer {
    bpe: TokenizerImpl<BPE, NFC, Sequence, ByteLevel, ByteLevel>, // with scores: only for the names of special tokens
    by_score: Option<ByScore>,
    patterns: &'static [&'static str], // which cut a text, one after the other
    cutter: OnceLock<Sequence>,        // of them, made for the first text
    tokens: Vec<Token>,                // by id
    missing: Vec<u8>,                  // bytes without a token
    begin: Option<u32>,                // the token that every text begins with
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
        "{key} is \"{}\", expected {expected}: use a Qwen2 or Qwen3 model",
        one_line(found, NAME)
    )]
    Kind { key: &'static str, found: String, expected: &'static str },
    #[error("{tokens} tokens but {types} token types in the file: convert the model again")]
    Lengths { tokens: usize, types: usize },
    #[error("{tokens} tokens but {scores} scores in the file: convert the model again")]
    Scores { tokens: usize, scores: usize },
    #[error("the text has byte {byte:#04x}, for which the model has no token: leave it out")]
    Unwritten { byte: u8 },
    #[error("a text begins with token {id}, but the last one is {last}: convert again")]
    Begin { id: u64, last: u32 },
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
        let cut = Cut::of(file)?;
        let texts = file.texts("tokenizer.ggml.tokens")?;
        let types = file.integers("tokenizer.ggml.token_type")?;
        if texts.len() != types.len() {
            return Err(TokenizerError::Lengths { tokens: texts.len(), types: types.len() });
        }
        let mut tokenizer = match &cut {
            Some(cut) => Tokenizer::of_merges(file, cut, &texts, &types)?,
            None => Tokenizer::of_scores(file, &texts, &types)?,
        };
        let key = "tokenizer.ggml.add_bos_token";
        let begins =
            if file.has(key) { file.flag(key)? } else { cut.is_none_or(|cut| cut.begins) };
        if begins {
            let id = file.integer("tokenizer.ggml.bos_token_id")?;
            if id >= texts.len() as u64 {
                return Err(TokenizerError::Begin { id, last: tokenizer.last() });
            }
            tokenizer.begin = Some(id as u32);
        }
        Ok(tokenizer)
    }

    /// Of a vocabulary of bytes, with a list of merges.
    fn of_merges(
        file: &Gguf,
        cut: &Cut,
        texts: &[&str],
        types: &[u64],
    ) -> Result<Tokenizer, TokenizerError> {
        let alphabet = byte_alphabet();
        let byte_of: vocabulary::Bytes = alphabet.into_iter().zip(0..=255).collect();
        let ids = vocabulary::number(texts)?;
        let missing = vocabulary::missing(&ids, &alphabet);
        if let Some(&byte) = missing.first().filter(|_| cut.complete) {
            return Err(TokenizerError::MissingByte { byte });
        }
        let merges = vocabulary::merges(&file.texts("tokenizer.ggml.merges")?, &ids)?;
        let tokens = texts.iter().zip(types).map(|(&text, &kind)| {
            let named = kind == CONTROL || kind == ADDED;
            let bytes = (!named).then(|| vocabulary::written(text, &byte_of)).flatten();
            Token {
                bytes: bytes.unwrap_or_else(|| text.as_bytes().to_vec()),
                printed: kind != CONTROL && kind != UNUSED,
            }
        });
        let tokens = tokens.collect();

        let names = names(texts, types)?;
        let model =
            BPE::builder().vocab_and_merges(ids, merges).ignore_merges(cut.whole).build()?;
        let mut bpe = TokenizerImpl::new(model);
        bpe.with_normalizer(cut.composes.then_some(NFC))?;
        bpe.add_special_tokens(names)?;
        Ok(Tokenizer {
            bpe,
            by_score: None,
            patterns: cut.patterns,
            cutter: OnceLock::new(),
            tokens,
            missing,
            begin: None,
        })
    }

    /// Of a vocabulary with scores.
    fn of_scores(
        file: &Gguf,
        texts: &[&str],
        types: &[u64],
    ) -> Result<Tokenizer, TokenizerError> {
        let byte_of = |id: usize| {
            let digits = texts[id].strip_prefix("<0x")?.strip_suffix('>')?;
            (types[id] == BYTE).then(|| u8::from_str_radix(digits, 16).ok())?
        };
        let is_merged = |id: usize| types[id] == NORMAL || types[id] == ADDED;
        let by_score = ByScore::new(file, texts, is_merged, byte_of)?;
        let token = |(id, &text): (usize, &&str)| Token {
            bytes: byte_of(id)
                .map_or_else(|| text.replace(SPACE, " ").into(), |byte| vec![byte]),
            printed: types[id] != CONTROL && types[id] != UNUSED,
        };
        let tokens = texts.iter().enumerate().map(token).collect();

        // The library finds the names of special tokens in a text, and knows no others.
        let names = names(texts, types)?;
        let named = |&(_, kind): &(usize, &u64)| *kind == CONTROL || *kind == ADDED;
        let ids = types.iter().enumerate().filter(named);
        let ids = ids.map(|(id, _)| (texts[id].to_owned(), id as u32)).collect();
        let mut bpe = TokenizerImpl::new(
            BPE::builder().vocab_and_merges::<vocabulary::Ids>(ids, Vec::new()).build()?,
        );
        bpe.add_special_tokens(names)?;
        Ok(Tokenizer {
            bpe,
            by_score: Some(by_score),
            patterns: &[],
            cutter: OnceLock::new(),
            tokens,
            missing: Vec::new(),
            begin: None,
        })
    }

    /// The ids of a text, in which the name of a special token stands for that token.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        let (mut ids, mut done) = (Vec::new(), 0);
        for (place, id) in self.named(text) {
            ids.extend(self.encode_plain(&text[done..place.start])?);
            ids.push(id);
            done = place.end;
        }
        ids.extend(self.encode_plain(&text[done..])?);
        Ok(self.begun(ids))
    }

    /// The ids of a text, in which the name of a special token is characters like any others.
    pub fn encode_plain(&self, text: &str) -> Result<Vec<u32>, TokenizerError> {
        if let Some(by_score) = &self.by_score {
            return Ok(by_score.encode(text));
        }
        self.check_bytes(text)?;
        let mut normalized = NormalizedString::from(text);
        if let Some(nfc) = self.bpe.get_normalizer() {
            nfc.normalize(&mut normalized)?;
        }
        let mut words = PreTokenizedString::from(normalized);
        self.cutter()?.pre_tokenize(&mut words)?;
        words.tokenize(|word| self.bpe.get_model().tokenize(word.get()))?;
        Ok(words.into_encoding(None, 0, OffsetType::None)?.get_ids().to_vec())
    }

    /// What cuts a text into pieces. To build it takes longer than all the rest, and whoever has ids needs none.
    fn cutter(&self) -> Result<&Sequence, TokenizerError> {
        if let Some(cutter) = self.cutter.get() {
            return Ok(cutter);
        }
        let mut steps = Vec::new();
        for pattern in self.patterns {
            let pattern = SplitPattern::Regex(pattern.to_string());
            let split = Split::new(pattern, SplitDelimiterBehavior::Isolated, false)?;
            steps.push(split.into());
        }
        steps.push(ByteLevel::new(false, false, false).into());
        Ok(self.cutter.get_or_init(|| Sequence::new(steps)))
    }

    /// With the token that every text begins with. A template may have written it already.
    fn begun(&self, mut ids: Vec<u32>) -> Vec<u32> {
        if let Some(begin) = self.begin.filter(|begin| ids.first() != Some(begin)) {
            ids.insert(0, begin);
        }
        ids
    }

    /// The name of the token that every text begins with.
    pub fn begin(&self) -> Option<String> {
        self.token_text(self.begin?).ok()
    }

    /// The library would leave out, without a word, what it has no token for.
    fn check_bytes(&self, text: &str) -> Result<(), TokenizerError> {
        match text.bytes().find(|byte| self.missing.contains(byte)) {
            Some(byte) => Err(TokenizerError::Unwritten { byte }),
            None => Ok(()),
        }
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
        Ok(self.begun(ids))
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
        let by_score = self.by_score.as_ref().and_then(|by_score| by_score.id_of(token));
        by_score.or_else(|| self.bpe.token_to_id(token))
    }

    /// What a token adds to the text: nothing if it is a control token.
    pub fn printed_bytes(&self, id: u32) -> Result<&[u8], TokenizerError> {
        let token = self.token(id)?;
        Ok(if token.printed { &token.bytes } else { &[] })
    }

    fn token(&self, id: u32) -> Result<&Token, TokenizerError> {
        self.tokens.get(id as usize).ok_or(TokenizerError::UnknownId { id, last: self.last() })
    }

    fn last(&self) -> u32 {
        self.tokens.len().saturating_sub(1) as u32
    }
}

/// The special tokens, as the library is told of them.
fn names(texts: &[&str], types: &[u64]) -> Result<Vec<AddedToken>, TokenizerError> {
    let mut names = Vec::new();
    for (&text, &kind) in texts.iter().zip(types) {
        if kind == CONTROL || kind == ADDED {
            // Looked for in the text as it comes: NFC might change them.
            names.push(AddedToken::from(text, kind == CONTROL).normalized(false));
        }
    }
    vocabulary::check_special(names.iter().map(|name| name.content.len()).sum())?;
    Ok(names)
}
