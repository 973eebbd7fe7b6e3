//! Carries what changed in one chapter forward to the later ones: a three-way merge, chapter by chapter.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::fault::{BookError, Fault, read, write};
use crate::fold::{fold, unfold};
use crate::repository::{Chapter, Edit, MANIFEST, Repository, chapters_under, renamed};

/// What was done with each file, and whether a person has to look.
#[derive(Debug, Default)]
pub struct Report {
    pub lines: Vec<String>,
    pub conflicts: usize,
    /// Files with a conflict in one of the states: all steps have them whole.
    pub unsettled: BTreeSet<String>,
}

/// `from` is the chapter that was edited, `base` the commit it is compared with (`HEAD`: what is not committed yet).
///
/// A file of a later step that is a change would be another with each edit before it. So all of them are whole until the
/// edit has come to the end.
pub fn carry(root: &Path, from: &str, base: &str) -> Result<Report, BookError> {
    let earlier = chapters_at(root, base)?;
    let mut edit = Edit { state: from, earlier: &earlier, is_undone: true, found: None };
    let chapters = chapters_under(root, Some(&mut edit)).or_else(|error| {
        // Another edit was carried since, and changes were made anew on top of this one.
        edit.is_undone = false;
        chapters_under(root, Some(&mut edit)).map_err(|_| error)
    })?;
    let states = chapters.iter().flat_map(|chapter| chapter.steps.iter().chain([chapter]));
    let Some((before, after)) = edit.found else {
        let known: Vec<&str> = states.map(|state| state.short.as_str()).collect();
        let reason = format!("no chapter '{from}'; there are: {}", known.join(", "));
        return Err(BookError::content(&root.join("chapters"), reason));
    };
    // Its own are as the edit left them.
    unfold(root, states.filter(|state| state.short != after.short))?;
    let repository = Repository::open(root)?;
    let states: Vec<&Chapter> =
        repository.states().skip_while(|state| state.short != after.short).collect();
    let mut report = Report::default();
    let paths: BTreeSet<&String> = before.files.keys().chain(after.files.keys()).collect();
    for path in paths {
        if before.files.get(path) != after.files.get(path) {
            carry_file(root, &states, &before, path, &mut report)?;
        }
    }
    if report.lines.is_empty() {
        let line = format!("{} is as it was at {base}: nothing to carry", after.package);
        report.lines.push(line);
    }
    fold(root, &report.unsettled)?;
    Ok(report)
}

/// One file from the first of these states through all later ones; it stops at the first that a person has to settle.
/// A step without a file of its own takes it from the state before it, and a chapter on a base takes it from the base:
/// they need nothing.
fn carry_file(
    root: &Path,
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
        let outcome = merge(root, old.as_ref(), ours, new.as_ref())?;
        let file = root.join(&place);
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
                report.unsettled.insert(path.into());
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
    printed(Command::new("git").args(arguments).current_dir(root))
}

fn printed(git: &mut Command) -> Result<String, BookError> {
    let output = git.output();
    let failed = |reason: String| BookError::Command { command: format!("{git:?}"), reason };
    let output = output.map_err(|e| failed(e.to_string()))?;
    if !output.status.success() {
        return Err(failed(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The chapters as they are in a commit.
fn chapters_at(root: &Path, commit: &str) -> Result<Vec<Chapter>, BookError> {
    let temporary = tempfile::tempdir();
    let folder =
        temporary.map_err(|source| BookError::File { path: std::env::temp_dir(), source })?;
    let tree = format!("{commit}:./chapters");
    let prefix = format!("--prefix={}/chapters/", folder.path().display());
    for arguments in [&["read-tree", &tree][..], &["checkout-index", "--all", &prefix]] {
        // Git's own list of files stays as it is.
        let index = folder.path().join("index");
        let mut git = Command::new("git");
        printed(git.args(arguments).env("GIT_INDEX_FILE", index).current_dir(root))?;
    }
    let read = chapters_under(folder.path(), None);
    read.map_err(|error| BookError::content(Path::new(commit), error))
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
