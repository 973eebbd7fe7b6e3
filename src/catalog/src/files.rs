//! Reading that names the file when it fails.

use std::fs;
use std::path::{Path, PathBuf};

use ground::error::Error;

use crate::error::problem_at;

pub fn read(path: &Path) -> Result<String, Error> {
    fs::read_to_string(path).map_err(|error| problem_at(path, error))
}

/// All files under a folder, relative to it, sorted, with `/` between the parts; nothing when the folder is not there.
pub fn files_under(folder: &Path) -> Result<Vec<String>, Error> {
    let mut found = Vec::new();
    let mut open = vec![PathBuf::new()];
    while let Some(relative) = open.pop() {
        let path = folder.join(&relative);
        let Ok(entries) = fs::read_dir(&path) else { continue };
        for entry in entries {
            let entry = entry.map_err(|error| problem_at(&path, error))?;
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
