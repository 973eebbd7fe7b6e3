//! Carries what changed in one chapter forward to the later ones: a three-way merge, chapter by chapter.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

use crate::fault::{BookError, Fault, read, write};
use crate::repository::{Chapter, MANIFEST, Repository, is_told, renamed, told};

/// What was done with each file, and whether a person has to look.
#[derive(Debug, Default)]
pub struct Report {
    pub lines: Vec<String>,
    pub conflicts: usize,
}

/// `from` is the chapter that was edited, `base` the commit it is compared with (`HEAD`: what is not committed yet).
pub fn carry(repository: &Repository, from: &str, base: &str) -> Result<Report, BookError> {
    let mut report = Report::default();
    let states: Vec<&Chapter> = repository.states().collect();
    let edited = |c: &&Chapter| c.short == from || c.package == from && !c.is_step();
    let Some(at) = states.iter().position(edited) else {
        let known: Vec<&str> = states.iter().map(|state| state.short.as_str()).collect();
        let reason = format!("no chapter '{from}'; there are: {}", known.join(", "));
        return Err(BookError::content(&repository.root.join("chapters"), reason));
    };
    let after = states[at];
    let mut before =
        Chapter { files: files_at(&repository.root, base, &after.folder)?, ..after.clone() };
    if let Some(base) = after.base.as_ref().and_then(|base| repository.chapter_named(base)) {
        // A file that was not there was the base's.
        before.files = renamed(base, after).into_iter().chain(before.files).collect();
    }
    if after.is_step() {
        // What a step has no file of its own for is not its change.
        let inherited = after.files.iter().filter(|(path, _)| !after.own.contains(*path));
        before.files.extend(inherited.map(|(path, text)| (path.clone(), text.clone())));
    }
    let paths: BTreeSet<&String> = before.files.keys().chain(after.files.keys()).collect();
    for path in paths {
        if before.files.get(path) != after.files.get(path) {
            carry_file(repository, &states[at..], &before, path, &mut report)?;
        }
    }
    if report.lines.is_empty() {
        report
            .lines
            .push(format!("{} is as it was at {base}: nothing to carry", after.package));
    }
    Ok(report)
}

/// One file from the first of these states through all later ones; it stops at the first that a person has to settle.
/// A step without a file of its own takes it from the state before it, and a chapter on a base takes it from the base:
/// they need nothing.
fn carry_file(
    repository: &Repository,
    states: &[&Chapter],
    before: &Chapter,
    path: &str,
    report: &mut Report,
) -> Result<(), BookError> {
    let Some((source, later)) = states.split_first() else { return Ok(()) };
    let has_own = |next: &&&Chapter| {
        let copies = next.base.is_none() || next.base == source.base;
        next.own.contains(path) || !next.is_step() && copies
    };
    let mut later = later.iter().filter(has_own);
    while let Some(next) = later.next() {
        let old = renamed(before, next).remove(path);
        let new = renamed(source, next).remove(path);
        let ours = next.files.get(path);
        let place = format!("{}/{path}", next.folder);
        let outcome = merge(&repository.root, old.as_ref(), ours, new.as_ref())?;
        let file = repository.root.join(&place);
        match outcome {
            Outcome::Same => report.lines.push(format!("same      {place}")),
            Outcome::Gone => report
                .lines
                .push(format!("left out  {place}: this chapter has no such file any more")),
            Outcome::Write(text) => {
                write(&file, &(text + &for_tools(&file, path, ours)?))?;
                report.lines.push(format!("carried   {place}"));
            }
            Outcome::Remove => {
                std::fs::remove_file(&file)
                    .map_err(|source| BookError::File { path: file, source })?;
                report.lines.push(format!("removed   {place}"));
            }
            Outcome::Conflict(text, count) => {
                if let Some(text) = text {
                    write(&file, &(text + &for_tools(&file, path, ours)?))?;
                }
                report.conflicts += count;
                let later = later.count();
                let rest = if later > 0 {
                    format!("; then `carry {}` for the {later} later", next.short)
                } else {
                    String::new()
                };
                report
                    .lines
                    .push(format!("CONFLICT  {place}: {count} to settle by hand{rest}"));
                return Ok(());
            }
        }
    }
    Ok(())
}

/// What a chapter's manifest says to tools, after all that it says to readers: that is the chapter's own, and stays.
fn for_tools(file: &Path, path: &str, told: Option<&String>) -> Result<String, BookError> {
    let Some(told) = told.filter(|_| path == MANIFEST) else { return Ok(String::new()) };
    let all = read(file)?;
    Ok(all.strip_prefix(told.as_str()).unwrap_or_default().to_string())
}

enum Outcome {
    Same,
    /// The later chapter removed the file, or never had it.
    Gone,
    Write(String),
    Remove,
    Conflict(Option<String>, usize),
}

fn merge(
    root: &Path,
    old: Option<&String>,
    ours: Option<&String>,
    new: Option<&String>,
) -> Result<Outcome, BookError> {
    Ok(match (old, ours, new) {
        (_, Some(ours), Some(new)) if ours == new => Outcome::Same,
        (None, None, Some(new)) => Outcome::Write(new.clone()),
        (Some(_), None, _) | (None, None, None) => Outcome::Gone,
        (Some(old), Some(ours), None) if old == ours => Outcome::Remove,
        (Some(_), Some(_), None) => Outcome::Conflict(None, 1),
        (None, Some(_), None) => Outcome::Same,
        (old, Some(ours), Some(new)) => {
            three_way(root, old.map_or("", String::as_str), ours, new)?
        }
    })
}

fn three_way(root: &Path, old: &str, ours: &str, new: &str) -> Result<Outcome, BookError> {
    let temporary = tempfile::tempdir();
    let folder =
        temporary.map_err(|source| BookError::File { path: std::env::temp_dir(), source })?;
    let file = |name: &str| folder.path().join(name).display().to_string();
    for (name, text) in [("later chapter", ours), ("before", old), ("edited chapter", new)] {
        write(&folder.path().join(name), text)?;
    }
    let mut arguments = vec!["merge-file".to_string(), "-p".to_string()];
    for name in ["later chapter", "before", "edited chapter"] {
        arguments.extend(["-L".to_string(), name.to_string()]);
    }
    arguments.extend(["later chapter", "before", "edited chapter"].map(file));
    let output = Command::new("git").args(&arguments).current_dir(root).output();
    let failed =
        |reason: String| BookError::Command { command: "git merge-file".into(), reason };
    let output = output.map_err(|e| failed(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    match output.status.code() {
        Some(0) => Ok(if text == ours { Outcome::Same } else { Outcome::Write(text) }),
        Some(count @ 1..=127) => Ok(Outcome::Conflict(Some(text), count as usize)),
        _ => Err(failed(String::from_utf8_lossy(&output.stderr).into_owned())),
    }
}

/// What Git prints.
pub fn git(root: &Path, arguments: &[&str]) -> Result<String, BookError> {
    let failed = |reason: String| BookError::Command {
        command: format!("git {}", arguments.join(" ")),
        reason,
    };
    let output = Command::new("git").args(arguments).current_dir(root).output();
    let output = output.map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The chapter's files in a commit.
fn files_at(
    root: &Path,
    commit: &str,
    folder: &str,
) -> Result<BTreeMap<String, String>, BookError> {
    let mut files = BTreeMap::new();
    for full in git(root, &["ls-tree", "-r", "--name-only", commit, "--", folder])?.lines() {
        let path = full.strip_prefix(&format!("{folder}/")).unwrap_or(full);
        if is_told(path) {
            let text = git(root, &["show", &format!("{commit}:{full}")])?;
            let text = told(path, text).map_err(|e| BookError::content(Path::new(full), e))?;
            files.insert(path.to_string(), text);
        }
    }
    Ok(files)
}

/// What `carry` left for a person to settle.
pub fn conflicts(repository: &Repository) -> Vec<Fault> {
    let mut faults = Vec::new();
    for state in repository.states() {
        let own = |path: &&String| state.own.is_empty() || state.own.contains(*path);
        for path in state.files.keys().filter(own) {
            let marks =
                |line: &str| line.starts_with("<<<<<<< ") || line.starts_with(">>>>>>> ");
            if let Some(at) = state.files[path].lines().position(marks) {
                let place = format!("{}/{path}", state.folder);
                let message = "a conflict that is not settled: choose, and remove the marks";
                faults.push(Fault::at(place, at + 1, message));
            }
        }
    }
    faults
}
