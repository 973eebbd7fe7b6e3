//! The part of a change that a page names.

use std::collections::BTreeSet;

use crate::hunks::diff::ChapterDiff;
use crate::hunks::file_diff::FileDiff;

/// The file and the hunks that a name stands for: one item, all items of an `impl` or of a file, or several joined by
/// `+` (`ch02/lib.rs/mod-cache+mod-model`).
pub fn select<'a>(
    diff: &'a ChapterDiff,
    target: &str,
) -> Result<(&'a FileDiff, BTreeSet<String>), String> {
    let rest = target.strip_prefix(&format!("{}/", diff.short)).unwrap_or(target);
    let named = |file: &&FileDiff| {
        let name = short_path(&file.path);
        rest == name || rest.strip_prefix(name).is_some_and(|tail| tail.starts_with('/'))
    };
    let file = diff
        .files
        .iter()
        .filter(named)
        .max_by_key(|file| file.path.len())
        .ok_or_else(|| format!("'{target}': {} has no such file", diff.short))?;
    let base = format!("{}/{}", diff.short, short_path(&file.path));
    let all: BTreeSet<&String> =
        file.segments.iter().filter_map(|segment| segment.hunk.as_ref()).collect();
    let mut chosen = BTreeSet::new();
    for selector in selectors(&base, rest.strip_prefix(short_path(&file.path)).unwrap_or("")) {
        let inside = format!("{selector}/");
        let found: Vec<&&String> = all
            .iter()
            .filter(|hunk| ***hunk == selector || selector == base || hunk.starts_with(&inside))
            .collect();
        if found.is_empty() {
            let names: Vec<&str> = all.iter().map(|name| name.as_str()).collect();
            let known = if names.is_empty() {
                "nothing changes in this file".into()
            } else {
                names.join(", ")
            };
            return Err(format!("'{selector}' names no hunk; there are: {known}"));
        }
        chosen.extend(found.into_iter().map(|hunk| hunk.to_string()));
    }
    Ok((file, chosen))
}

fn selectors(base: &str, tail: &str) -> Vec<String> {
    let Some((folder, last)) = tail.rsplit_once('/') else { return vec![base.into()] };
    last.split('+').map(|name| format!("{base}{folder}/{name}")).collect()
}

pub fn short_path(path: &str) -> &str {
    path.strip_prefix("src/").unwrap_or(path)
}
