//! One error for whatever a user can cause; each part names what it found and what it expected.

use std::io;
use std::path::PathBuf;

use crate::chat::ChatError;
use crate::config::ConfigError;
use crate::gguf::GgufError;
use crate::sample::SampleError;
use crate::tokenizer::TokenizerError;

/// Anything that can go wrong between a command line and its text.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model file cannot be read as a GGUF file.
    #[error("{}: {source}", path.display())]
    Model {
        /// The file, as it was named on the command line.
        path: PathBuf,
        /// What is wrong with it.
        source: GgufError,
    },
    /// The file is readable, but something in it is not as it should be.
    #[error(transparent)]
    Gguf(#[from] GgufError),
    /// The file is not a Qwen3 that fits together.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The vocabulary is broken, or a token is not in it.
    #[error(transparent)]
    Tokenizer(#[from] TokenizerError),
    /// The chat template cannot be rendered.
    #[error(transparent)]
    Chat(#[from] ChatError),
    /// A sampling setting makes no sense.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The prompt cannot be given to this model.
    #[error("{0}")]
    Prompt(String),
    /// A chapter's own error: what later chapters can refuse is theirs to say.
    #[error("{0}")]
    Chapter(String),
    /// The command line is not understood (or asked for help).
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}
