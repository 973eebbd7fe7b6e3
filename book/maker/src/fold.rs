//! Files of steps: changes of what the state before left where these are much shorter, and whole while somebody edits them.

use std::collections::BTreeSet;
use std::path::Path;

use catalog::change::{CHANGE, change};

use crate::fault::{BookError, write};
use crate::repository::{Chapter, MANIFEST, Repository, renamed};

/// Each file of each step as a change, unless that has two thirds of its lines or more: then it is easier to read whole, as
/// is one of `but`, which isn't settled. Gives the files that are there in another way now.
pub fn fold(root: &Path, but: &BTreeSet<String>) -> Result<Vec<String>, BookError> {
    let repository = Repository::open(root)?;
    let states: Vec<&Chapter> = repository.states().collect();
    let mut folded = Vec::new();
    for (at, step) in states.iter().enumerate().filter(|(_, state)| state.is_step()) {
        let left = step.told_against(&states[..at]).map(|before| renamed(before, step));
        let left = left.unwrap_or_default();
        // A manifest is short, and names what `renamed` looks for.
        for path in step.own.difference(but).filter(|path| *path != MANIFEST) {
            let text = &step.files[path];
            let is_short = |change: &String| {
                !change.is_empty() && 3 * change.lines().count() <= 2 * text.lines().count()
            };
            let change = left.get(path).and_then(|old| change(old, text)).filter(is_short);
            if change.as_ref() != step.changes.get(path) {
                folded.push(put(root, step, path, change.as_ref())?);
            }
        }
    }
    Ok(folded)
}

/// The files of these steps whole.
pub fn unfold<'a>(
    root: &Path,
    steps: impl Iterator<Item = &'a Chapter>,
) -> Result<Vec<String>, BookError> {
    let files = steps.flat_map(|step| step.changes.keys().map(move |path| (step, path)));
    files.map(|(step, path)| put(root, step, path, None)).collect()
}

/// Leaves one of the two files there.
fn put(
    root: &Path,
    step: &Chapter,
    path: &String,
    change: Option<&String>,
) -> Result<String, BookError> {
    let whole = format!("{}/{path}", step.folder);
    let folded = format!("{whole}{CHANGE}");
    let (to, text, other) = match change {
        Some(change) => (folded, change, whole),
        None => (whole, &step.files[path], folded),
    };
    write(&root.join(&to), text)?;
    let other = root.join(other);
    if other.is_file() {
        std::fs::remove_file(&other)
            .map_err(|source| BookError::File { path: other, source })?;
    }
    Ok(to)
}
