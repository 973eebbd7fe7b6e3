//! `progress`: exercises and chapters, green, red, changed or unstarted; the next one last, with the page to read.

use std::fmt::{self, Display};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ground::error::Error;
use ground::text::path_line;

use course::chapters::{self, Chapter};
use course::exercises::{self, Exercise, Tried};

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Green,
    Red,
    /// Right, up to a page in its middle.
    Begun,
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
            State::Begun => "begun",
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
    /// What else to say when it is the next: the compiler's first error, where to find a hint.
    note: String,
}

/// Runs the exercises' tests and prints the table.
pub fn run() -> Result<(), Error> {
    let root = chapters::root();
    let mut items = Vec::new();
    let all = exercises::all(&root)?;
    let of =
        |chapter: &str| all.iter().filter(|one| one.chapter == chapter).collect::<Vec<_>>();
    items.extend(tasks(&root, &of("part0"))?);
    for chapter in chapters::all(&root)? {
        items.push(typed_along(&root, &chapter)?);
        items.extend(tasks(&root, &of(&chapter.short))?);
    }
    let green = items.iter().filter(|item| item.state == State::Green).count();
    // What has been begun comes before what has not.
    let order = [State::Broken, State::Red, State::Begun, State::Changed, State::Unstarted];
    let next = order.iter().find_map(|state| items.iter().find(|item| item.state == *state));
    let mut out = io::stdout().lock();
    for item in &items {
        writeln!(out, "{:<10} {:<34} {}", item.state, item.name, item.read)?;
    }
    writeln!(out, "\n{green} of {} green\n", items.len())?;
    match next {
        Some(item) => writeln!(
            out,
            "next: {}, {}\n  read {} (`mdbook serve book`)\n  run  {}{}",
            item.name, item.what, item.read, item.command, item.note
        )?,
        None => writeln!(out, "all done")?,
    }
    Ok(out.flush()?)
}

/// The exercises of one package. A chapter may have none yet.
fn tasks(root: &Path, exercises: &[&Exercise]) -> Result<Vec<Item>, Error> {
    let tried = exercises::try_package(root, exercises)?;
    Ok(exercises.iter().zip(tried).map(|(exercise, tried)| task(exercise, &tried)).collect())
}

fn task(exercise: &Exercise, tried: &Tried) -> Item {
    let (package, name) = (exercise.package(), &exercise.name);
    let state = match tried.state {
        exercises::State::Green => State::Green,
        exercises::State::Red => State::Red,
        exercises::State::Unstarted => State::Unstarted,
        exercises::State::Broken => State::Broken,
    };
    let file = exercises::file(exercise);
    // Where another one does not compile, a test by itself still does.
    let only = if tried.alone { "--test " } else { "" };
    Item {
        state,
        what: match state {
            State::Broken => format!("{} does not compile", path_line(&file)),
            _ => format!("{} ({} minutes)", exercise.get("title"), exercise.get("minutes")),
        },
        read: format!("\"{}\", {}", exercise.get("section"), exercise.address()),
        command: format!("cargo test -p {package} {only}{name}"),
        note: match state {
            // The first error: the others often follow from it.
            State::Broken => {
                format!("\n\n{}", tried.text.split("\n\n").next().unwrap_or_default())
            }
            _ => format!("\n  hint cargo run -- hint {name}"),
        },
        name: format!("{package} {name}"),
    }
}

/// A chapter that is typed along.
fn typed_along(root: &Path, chapter: &Chapter) -> Result<Item, Error> {
    let short = &chapter.short;
    let state = state(root, chapter)?;
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
        note: String::new(),
    })
}

/// Whether the reader's own chapter has passed `check` as it is now.
pub fn is_green(root: &Path, chapter: &Chapter) -> Result<bool, Error> {
    Ok(state(root, chapter)? == State::Green)
}

fn state(root: &Path, chapter: &Chapter) -> Result<State, Error> {
    let own = chapters::own(root, &chapter.short);
    if !own.exists() {
        return Ok(State::Unstarted);
    }
    let verdict = chapters::verdict(root, &chapter.short);
    let said = match fs::read_to_string(&verdict) {
        Ok(word) => Some((word, modified(&verdict)?)),
        Err(_) => None,
    };
    let mut newest = self::newest(&own)?;
    if let Some(base) = chapters::own_base(root, chapter).filter(|base| base.exists()) {
        newest = newest.max(self::newest(&base)?);
    }
    Ok(checked(said, newest))
}

/// The word of the last `check` and when it was said: it holds for files that are no newer.
fn checked(said: Option<(String, SystemTime)>, newest: SystemTime) -> State {
    match said {
        Some((word, at)) if newest <= at => match word.as_str() {
            "green" => State::Green,
            "red" => State::Red,
            _ => State::Begun,
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
        assert_eq!(checked(said("contiguous"), before), State::Begun);
        assert_eq!(checked(said("green"), now), State::Green);
        assert_eq!(checked(said("green"), after), State::Changed);
        assert_eq!(checked(said("red"), after), State::Changed);
        assert_eq!(checked(None, before), State::Changed);
    }
}
