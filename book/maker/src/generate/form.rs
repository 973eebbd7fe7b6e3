//! Measurements have one form, whatever recorded them: [`catalog::tidy`].

use catalog::tidy::tidy;

use crate::fault::{BookError, Fault, files_under, read, write};
use crate::repository::Repository;

/// Each file with its text as it is, and as it should be.
fn all(repository: &Repository) -> Result<Vec<(String, String, String)>, BookError> {
    let folder = repository.root.join("book/measurements");
    let mut all = Vec::new();
    for file in files_under(&folder)?.into_iter().filter(|file| file.ends_with(".json")) {
        let path = folder.join(&file);
        let text = read(&path)?;
        let tidied = tidy(&text).map_err(|error| BookError::content(&path, error))?;
        all.push((format!("book/measurements/{file}"), text, tidied));
    }
    Ok(all)
}

pub fn stale(repository: &Repository) -> Result<Vec<Fault>, BookError> {
    let all = all(repository)?.into_iter();
    Ok(all
        .filter_map(|(file, found, tidied)| super::difference(&file, &found, &tidied))
        .collect())
}

/// Writes those that are not, and says which.
pub fn update(repository: &Repository) -> Result<Vec<String>, BookError> {
    let mut done = Vec::new();
    for (file, _, tidied) in
        all(repository)?.into_iter().filter(|(_, found, tidied)| found != tidied)
    {
        write(&repository.root.join(&file), &tidied)?;
        done.push(format!("wrote   {file}"));
    }
    Ok(done)
}
