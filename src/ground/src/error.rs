//! One error for whatever a user can cause; each part names what it found and what it expected.

use std::io;
use std::path::PathBuf;

use crate::chat::ChatError;
use crate::checksummed_file::SealedError;
use crate::config::ConfigError;
use crate::gguf::GgufError;
use crate::request::RequestError;
use crate::sample::SampleError;
use crate::text::path_line;
use crate::tokenizer::TokenizerError;

/// Anything that can go wrong between a command line and its text.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The model file cannot be read as a GGUF file.
    #[error("{}: {source}", path_line(path))]
    Model {
        /// The file, as it was named on the command line.
        path: PathBuf,
        /// What is wrong with it.
        source: GgufError,
    },
    /// A name that is no file, neither here nor among the models.
    #[error(
        "{name}: no such file, here or in models/: `cargo run -- download {name}` gets it",
        name = path_line(.0)
    )]
    NoModel(PathBuf),
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
    /// This model cannot serve the request.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A file of this program's own cannot be written or read.
    #[error(transparent)]
    Sealed(#[from] SealedError),
    /// Ctrl-C has ended the run: the line says how far it was.
    #[error("{0}")]
    Interrupted(String),
    /// A chapter's own error: what later chapters can refuse is theirs to say.
    #[error(transparent)]
    Chapter(Box<dyn std::error::Error + Send + Sync>),
    /// The command line is not understood (or asked for help).
    #[cfg(feature = "cli")]
    #[error(transparent)]
    Usage(#[from] clap::Error),
    /// Reading or writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Error {
    /// Takes in the error of a chapter or a tool: a type of its own, or a text.
    pub fn chapter(error: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Error {
        Error::Chapter(error.into())
    }
}
