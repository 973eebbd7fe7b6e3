//! What is wrong with a reader's folder or a file of the course, in one line.

use std::fmt;
use std::path::Path;

use ground::error::Error;
use ground::text::{one_line, path_line};

pub fn problem(text: String) -> Error {
    Error::chapter(text)
}

/// What is wrong with the file or the folder at `path`. The reason may quote what is in it.
pub fn problem_at(path: &Path, why: impl fmt::Display) -> Error {
    problem(format!("{}: {}", path_line(path), one_line(&why.to_string(), 300)))
}
