//! How a text is cut into pieces before tokens are merged: each model in its own way, of which a file has only the name.

use super::TokenizerError;
use crate::gguf::Gguf;

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

/// As Qwen's, with up to three digits together.
const LLAMA3_PATTERN: &str = concat!(
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)",
    r"|[^\r\n\p{L}\p{N}]?\p{L}+",
    r"|\p{N}{1,3}",
    r"| ?[^\s\p{L}\p{N}]+[\r\n]*",
    r"|\s*[\r\n]+",
    r"|\s+(?!\S)",
    r"|\s+",
);

/// GPT-2's: only a space goes with the word after it, and line ends are like any white space.
const GPT2_PATTERN: &str = concat!(
    r"'s|'t|'re|'ve|'m|'ll|'d",
    r"| ?\p{L}+",
    r"| ?\p{N}+",
    r"| ?[^\s\p{L}\p{N}]+",
    r"|\s+(?!\S)",
    r"|\s+",
);

/// How a vocabulary of bytes wants its texts.
pub struct Cut {
    /// Each cuts the pieces of the one before.
    pub patterns: &'static [&'static str],
    /// A letter and its accent become one character first.
    pub composes: bool,
    /// A piece that is a token is not merged from smaller ones.
    pub whole: bool,
    /// There is a token for every byte.
    pub complete: bool,
    /// A text begins with a token of its own, if the file doesn't say.
    pub begins: bool,
}

impl Cut {
    /// `None` for a vocabulary with scores, which cuts nothing. Others that we don't know are refused by their name.
    pub fn of(file: &Gguf) -> Result<Option<Cut>, TokenizerError> {
        let unknown = |key, found: &str, expected| {
            Err(TokenizerError::Kind { key, found: found.to_owned(), expected })
        };
        match file.text("tokenizer.ggml.model")? {
            "gpt2" => {}
            "llama" => return Ok(None),
            found => return unknown("tokenizer.ggml.model", found, "gpt2 or llama"),
        }
        let qwen = Cut {
            patterns: &[QWEN2_PATTERN],
            composes: true,
            whole: false,
            complete: true,
            begins: false,
        };
        Ok(Some(match file.text("tokenizer.ggml.pre")? {
            "qwen2" => qwen,
            "llama-bpe" => Cut {
                patterns: &[LLAMA3_PATTERN],
                composes: false,
                whole: true,
                begins: true,
                ..qwen
            },
            "smollm" => Cut {
                patterns: &[r"\p{N}", GPT2_PATTERN],
                composes: false,
                complete: false,
                ..qwen
            },
            found => {
                return unknown("tokenizer.ggml.pre", found, "qwen2, llama-bpe or smollm");
            }
        }))
    }
}
