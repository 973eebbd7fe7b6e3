//! A vocabulary in which each token has a score, as SentencePiece writes it: of all neighbours that together are a token,
//! those with the best score are merged first.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use ahash::AHashMap;

use super::TokenizerError;
use crate::gguf::Gguf;

/// How such a vocabulary writes a space.
pub const SPACE: char = '\u{2581}';

/// The tokens that a text is merged to.
pub struct ByScore {
    ids: AHashMap<String, u32>,
    scores: Vec<f32>,
    bytes: Vec<u32>, // for characters without a token of their own
}

impl ByScore {
    /// `merged` says of which tokens texts are made; `byte` which byte a token stands for, if any.
    pub fn new(
        file: &Gguf,
        tokens: &[&str],
        merged: impl Fn(usize) -> bool,
        byte: impl Fn(usize) -> Option<u8>,
    ) -> Result<ByScore, TokenizerError> {
        let scores = file.floats("tokenizer.ggml.scores")?;
        if scores.len() != tokens.len() {
            let (tokens, scores) = (tokens.len(), scores.len());
            return Err(TokenizerError::Scores { tokens, scores });
        }
        let key = "tokenizer.ggml.add_space_prefix";
        if !file.has(key) || file.flag(key)? {
            let (found, expected) = (file.describe(key), "false");
            return Err(TokenizerError::Kind { key, found, expected });
        }
        let mut ids = AHashMap::with_capacity(tokens.len());
        let mut bytes = [None; 256];
        for (id, token) in tokens.iter().enumerate() {
            if merged(id) {
                ids.insert(token.to_string(), id as u32);
            }
            if let Some(byte) = byte(id) {
                bytes[usize::from(byte)] = Some(id as u32);
            }
        }
        let of_byte =
            |(id, byte): (Option<u32>, u8)| id.ok_or(TokenizerError::MissingByte { byte });
        let bytes = bytes.into_iter().zip(0..=255).map(of_byte).collect::<Result<_, _>>()?;
        Ok(ByScore { ids, scores, bytes })
    }

    /// The ids of a text without special tokens.
    pub fn encode(&self, text: &str) -> Vec<u32> {
        let text: String = text.chars().map(|c| if c == ' ' { SPACE } else { c }).collect();
        // A part is where it begins and ends; at first each character is one.
        let mut end_of = vec![0; text.len() + 1]; // of the part that begins here, or 0
        let mut start_of = vec![0; text.len() + 1]; // of the part that ends here
        for (start, character) in text.char_indices() {
            let end = start + character.len_utf8();
            (end_of[start], start_of[end]) = (end, start);
        }
        let pair = |end_of: &[usize], start: usize| {
            let middle = end_of[start];
            let end = end_of[middle];
            let id = *self.ids.get(text.get(start..end)?)?;
            Some((Score(self.scores[id as usize]), Reverse(start), middle, end))
        };
        // The best score first, and of equals the leftmost.
        let starts = (0..text.len()).filter(|&start| end_of[start] > 0);
        let mut pairs: BinaryHeap<_> =
            starts.filter_map(|start| pair(&end_of, start)).collect();
        while let Some((_, Reverse(start), middle, end)) = pairs.pop() {
            // One of the two may have been merged with another.
            if end_of[start] != middle || end_of[middle] != end {
                continue;
            }
            (end_of[start], end_of[middle], start_of[end]) = (end, 0, start);
            let before = (start > 0).then(|| start_of[start]);
            pairs.extend(
                [before, Some(start)]
                    .into_iter()
                    .flatten()
                    .filter_map(|start| pair(&end_of, start)),
            );
        }
        let (mut ids, mut start) = (Vec::new(), 0);
        while start < text.len() {
            let part = &text[start..end_of[start]];
            match self.ids.get(part) {
                Some(&id) => ids.push(id),
                None => ids.extend(part.bytes().map(|byte| self.bytes[usize::from(byte)])),
            }
            start = end_of[start];
        }
        ids
    }

    /// The id of an ordinary token.
    pub fn id_of(&self, token: &str) -> Option<u32> {
        self.ids.get(token).copied()
    }
}

/// Scores in their order, NaN included: a file may hold anything.
struct Score(f32);

impl Ord for Score {
    fn cmp(&self, other: &Score) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Score {
    fn partial_cmp(&self, other: &Score) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Score {
    fn eq(&self, other: &Score) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Score {}
