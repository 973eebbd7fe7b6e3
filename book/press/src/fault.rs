//! What a check finds: where, and what is wrong there.

use std::fmt;
use std::path::{Path, PathBuf};

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
pub enum PressError {
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

impl PressError {
    pub fn content(path: &Path, reason: impl fmt::Display) -> PressError {
        PressError::Content { path: path.to_path_buf(), reason: reason.to_string() }
    }
}

/// Reading and writing that names the file when it fails.
pub fn read(path: &Path) -> Result<String, PressError> {
    std::fs::read_to_string(path)
        .map_err(|source| PressError::File { path: path.to_path_buf(), source })
}

pub fn write(path: &Path, text: &str) -> Result<(), PressError> {
    let failed = |source| PressError::File { path: path.to_path_buf(), source };
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}

/// All files under a folder, relative to it, sorted, with `/` between the parts; nothing when the folder is not there.
pub fn files_under(folder: &Path) -> Result<Vec<String>, PressError> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(relative) = open.pop() {
        let path = folder.join(&relative);
        let Ok(entries) = std::fs::read_dir(&path) else { continue };
        for entry in entries {
            let entry =
                entry.map_err(|source| PressError::File { path: path.clone(), source })?;
            let inner = relative.join(entry.file_name());
            if entry.path().is_dir() {
                open.push(inner);
            } else {
                found.push(inner.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    found.sort();
    Ok(found)
}
