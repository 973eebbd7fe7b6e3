//! What a check finds: where, and what is wrong there.

use std::fmt;
use std::path::{Path, PathBuf};

pub use catalog::files::{files_under, read};

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// `book/src/ch02/cache.md:12`, relative to the repository.
    pub place: String,
    pub message: String,
}

impl Fault {
    pub fn at(file: impl fmt::Display, line: usize, message: impl Into<String>) -> Fault {
        Fault { place: format!("{file}:{line}"), message: message.into() }
    }

    pub fn in_file(file: impl fmt::Display, message: impl Into<String>) -> Fault {
        Fault { place: file.to_string(), message: message.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.place, self.message)
    }
}

/// What stops the machine itself: a file that cannot be read or written, a command that cannot be started.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: std::io::Error },
    #[error("{path}: {reason}")]
    Content { path: PathBuf, reason: String },
    #[error("could not run {command}: {reason}")]
    Command { command: String, reason: String },
    /// A chapter that does not describe itself, or not as it should.
    #[error(transparent)]
    Course(#[from] ground::error::Error),
}

impl BookError {
    pub fn content(path: &Path, reason: impl fmt::Display) -> BookError {
        BookError::Content { path: path.to_path_buf(), reason: reason.to_string() }
    }
}

/// Names the file when it fails.
pub fn write(path: &Path, text: &str) -> Result<(), BookError> {
    let failed = |source| BookError::File { path: path.to_path_buf(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}
