//! The model that a tool is about.

use std::path::Path;

use ground::embedded;
use ground::error::Error;
use ground::gguf::Gguf;

/// The file that was named; without a name the tiny model inside this program.
pub fn open(path: Option<&Path>) -> Result<Gguf, Error> {
    let Some(path) = path else { return Ok(embedded::tiny_qwen3()?) };
    Gguf::open(path).map_err(|source| Error::Model { path: path.to_owned(), source })
}
