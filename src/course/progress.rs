//! `progress`: exercises and chapters, green, red, changed or unstarted; the next one first, with the page to read.

use std::fmt::{self, Display};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ground::error::Error;

use course::chapters::{self, Chapter, problem};

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Green,
    Red,
    /// Not checked as it is now.
    Changed,
    Unstarted,
    Broken,
}

impl Display for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            State::Green => "green",
            State::Red => "red",
            State::Changed => "changed",
            State::Unstarted => "unstarted",
            State::Broken => "not built",
        })
    }
}

/// One line of the table.
struct Item {
    state: State,
    name: String,
    what: String,
    read: String,
    command: String,
}

/// Runs the exercises' tests and prints the table.
pub fn run() -> Result<(), Error> {
    let root = chapters::root();
    let mut items = Vec::new();
    let part0 = root.join("chapters/part0-exercises");
    items.extend(exercises(&part0, "part0-exercises")?);
    for chapter in chapters::all(&root)? {
        items.push(typed_along(&root, &chapter)?);
        let folder = chapter.folder.join("exercises");
        items.extend(exercises(&folder, &format!("{}-exercises", chapter.short))?);
    }
    let green = items.iter().filter(|item| item.state == State::Green).count();
    // What has been begun comes before what has not.
    let order = [State::Broken, State::Red, State::Changed, State::Unstarted];
    let next = order.iter().find_map(|state| items.iter().find(|item| item.state == *state));
    let mut out = io::stdout().lock();
    match next {
        Some(item) => writeln!(
            out,
            "next: {}, {}\n  read {} (`mdbook serve book`)\n  run  {}\n",
            item.name, item.what, item.read, item.command
        )?,
        None => writeln!(out, "all done\n")?,
    }
    for item in &items {
        writeln!(out, "{:<10} {:<34} {}", item.state, item.name, item.read)?;
    }
    writeln!(out, "\n{green} of {} green", items.len())?;
    Ok(out.flush()?)
}

/// The exercises of one package, in the order of its README. A chapter may have none yet.
fn exercises(folder: &Path, package: &str) -> Result<Vec<Item>, Error> {
    let readme = folder.join("README.md");
    if !folder.exists() {
        return Ok(Vec::new());
    }
    let list = fs::read_to_string(&readme)
        .map_err(|error| problem(format!("{}: {error}", readme.display())))?;
    // | `name` | task | minutes | "section", page |
    let rows: Vec<&str> = list.lines().filter(|line| line.starts_with("| `")).collect();
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let tests = chapters::cargo(folder)
        .args(["test", "--quiet", "--test", "exercises", "--no-fail-fast"])
        .args(["--", "--format=pretty"])
        .output()?;
    let output = String::from_utf8_lossy(&tests.stdout);
    let state = |name: &str| {
        if output.contains(&format!("test {name} ... ok")) {
            State::Green
        } else if output.contains(&format!("{name} is still todo!()"))
            || output.contains(&format!("{name} still has its fault"))
        {
            State::Unstarted
        } else if output.contains(&format!("test {name} ... FAILED")) {
            State::Red
        } else {
            State::Broken
        }
    };
    Ok(rows
        .into_iter()
        .map(|row| {
            let cells: Vec<&str> =
                row.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
            let cell = |index: usize| cells.get(index).copied().unwrap_or_default().to_string();
            let name = cell(0).trim_matches('`').to_string();
            Item {
                state: state(&name),
                what: format!("{} ({} minutes)", cell(1), cell(2)),
                read: cell(3),
                command: format!("cargo test -p {package} {name}"),
                name: format!("{package} {name}"),
            }
        })
        .collect())
}

/// A chapter that is typed along.
fn typed_along(root: &Path, chapter: &Chapter) -> Result<Item, Error> {
    let short = &chapter.short;
    let own = chapters::own(root, short);
    let verdict = chapters::verdict(root, short);
    let said = match fs::read_to_string(&verdict) {
        Ok(word) => Some((word, modified(&verdict)?)),
        Err(_) => None,
    };
    let state = if own.exists() { checked(said, newest(&own)?) } else { State::Unstarted };
    let command = if state == State::Unstarted { "start" } else { "check" };
    let title = &chapter.about.title;
    Ok(Item {
        state,
        name: format!("my/{short}"),
        what: match state {
            State::Changed => {
                format!("type along to {}; not checked as it is now", chapter.name)
            }
            _ => format!("type along to {}", chapter.name),
        },
        read: format!("\"{title}\", {short}/index.html"),
        command: format!("cargo run -- {command} {short}"),
    })
}

/// The word of the last `check` and when it was said: it holds for files that are no newer.
fn checked(said: Option<(String, SystemTime)>, newest: SystemTime) -> State {
    match said {
        Some((word, at)) if newest <= at => match word.as_str() {
            "green" => State::Green,
            _ => State::Red,
        },
        _ => State::Changed,
    }
}

fn modified(path: &Path) -> Result<SystemTime, Error> {
    Ok(fs::metadata(path)?.modified()?)
}

/// When the newest file below `folder` was written.
fn newest(folder: &Path) -> Result<SystemTime, Error> {
    let mut newest = SystemTime::UNIX_EPOCH;
    let mut folders: Vec<PathBuf> = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            newest = newest.max(modified(&path)?);
            if path.is_dir() {
                folders.push(path);
            }
        }
    }
    Ok(newest)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_word_holds_until_a_file_changes() {
        let now = SystemTime::now();
        let (before, after) = (now - Duration::from_secs(1), now + Duration::from_secs(1));
        let said = |word: &str| Some((word.to_string(), now));
        assert_eq!(checked(said("green"), before), State::Green);
        assert_eq!(checked(said("red"), before), State::Red);
        assert_eq!(checked(said("green"), now), State::Green);
        assert_eq!(checked(said("green"), after), State::Changed);
        assert_eq!(checked(said("red"), after), State::Changed);
        assert_eq!(checked(None, before), State::Changed);
    }
}
