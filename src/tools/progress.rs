//! `progress`: exercises and chapters, red, green or unstarted; the next one first, with the page to read.

use std::fmt::{self, Display};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ground::error::Error;

use crate::course::{self, Chapter, problem};

#[derive(Clone, Copy, PartialEq)]
enum State {
    Green,
    Red,
    Unstarted,
    Broken,
}

impl Display for State {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(match self {
            State::Green => "green",
            State::Red => "red",
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
    let root = course::root();
    let mut items = Vec::new();
    let part0 = root.join("chapters/part0-exercises");
    items.extend(exercises(&part0, "part0-exercises")?);
    for chapter in course::chapters(&root)? {
        items.push(typed_along(&root, &chapter)?);
        let folder = root.join("chapters").join(&chapter.name).join("exercises");
        items.extend(exercises(&folder, &format!("{}-exercises", chapter.short))?);
    }
    let green = items.iter().filter(|item| item.state == State::Green).count();
    // What is red has been begun: it comes before what has not.
    let order = [State::Broken, State::Red, State::Unstarted];
    let next = order.iter().find_map(|state| items.iter().find(|item| item.state == *state));
    match next {
        Some(item) => println!(
            "next: {}, {}\n  read {}\n  run  {}\n",
            item.name, item.what, item.read, item.command
        ),
        None => println!("all done\n"),
    }
    for item in &items {
        println!("{:<10} {:<34} {}", item.state, item.name, item.read);
    }
    println!("\n{green} of {} green", items.len());
    Ok(())
}

/// The exercises of one package, in the order of its README.
fn exercises(folder: &Path, package: &str) -> Result<Vec<Item>, Error> {
    let readme = folder.join("README.md");
    let list = fs::read_to_string(&readme)
        .map_err(|error| problem(format!("{}: {error}", readme.display())))?;
    let tests = course::cargo(folder)
        .args(["test", "--quiet", "--test", "exercises", "--no-fail-fast"])
        .args(["--", "--format=pretty"])
        .output()?;
    let output = String::from_utf8_lossy(&tests.stdout);
    let state = |name: &str| {
        if output.contains(&format!("test {name} ... ok")) {
            State::Green
        } else if output.contains(&format!("{name} is still todo!()")) {
            State::Unstarted
        } else if output.contains(&format!("test {name} ... FAILED")) {
            State::Red
        } else {
            State::Broken
        }
    };
    // | `name` | task | minutes | page |
    let rows = list.lines().filter(|line| line.starts_with("| `"));
    Ok(rows
        .map(|row| {
            let cells: Vec<&str> =
                row.split(" | ").map(|cell| cell.trim_matches(['|', ' '])).collect();
            let cell = |index: usize| cells.get(index).copied().unwrap_or_default().to_string();
            let name = cell(0).trim_matches('`').to_string();
            Item {
                state: state(&name),
                what: format!("{} ({} minutes)", cell(1), cell(2)),
                read: format!("book/src/{}", cell(3)),
                command: format!("cargo test -p {package} {name}"),
                name: format!("{package} {name}"),
            }
        })
        .collect())
}

/// A chapter that is typed along: what the last `check` said, unless a file has changed since.
fn typed_along(root: &Path, chapter: &Chapter) -> Result<Item, Error> {
    let short = &chapter.short;
    let own = course::own(root, short);
    let verdict = course::verdict(root, short);
    let word = fs::read_to_string(&verdict).unwrap_or_default();
    let (state, command) = if !own.exists() {
        (State::Unstarted, "start")
    } else if word == "green" && newest(&own.join("src"))? <= modified(&verdict)? {
        (State::Green, "check")
    } else {
        (State::Red, "check")
    };
    Ok(Item {
        state,
        name: format!("my/{short}"),
        what: format!("type along to {}", chapter.name),
        read: format!("book/src/{short}/index.md"),
        command: format!("cargo run -- {command} {short}"),
    })
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
