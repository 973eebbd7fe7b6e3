//! `progress`: exercises and chapters, green, red, changed or unstarted; the next one last, with the page to read.

use std::env;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ground::error::Error;
use ground::text::path_line;

use crate::exercises::{self, Exercise, Tried};
use crate::reader_position;
use catalog::chapters::{self, Chapter};
use catalog::error::problem;
use catalog::pages::{self, Page, Room};

#[derive(Clone, Copy, Debug, PartialEq)]
enum State {
    Green,
    Red,
    /// Right as a whole, without some of its side rooms.
    MainLine,
    /// Right, up to a page in its middle.
    Begun,
    /// Not checked as it is now.
    Changed,
    Unstarted,
    Broken,
}

/// What `check` says of a chapter that has its main line and not all of its side rooms.
pub const MAIN_LINE: &str = "main line";

impl State {
    fn word(self) -> &'static str {
        match self {
            State::Green => "green",
            State::Red => "red",
            State::MainLine => MAIN_LINE,
            State::Begun => "begun",
            State::Changed => "changed",
            State::Unstarted => "unstarted",
            State::Broken => "not built",
        }
    }

    /// The word, as wide as the longest, in its colour.
    fn shown(self, coloured: bool) -> String {
        let word = format!("{:<9}", self.word());
        let colour = match self {
            State::Green | State::MainLine => 32,
            State::Red | State::Broken => 31,
            State::Changed | State::Begun => 33,
            State::Unstarted => return word,
        };
        if coloured { format!("\x1b[{colour}m{word}\x1b[0m") } else { word }
    }
}

#[derive(clap::Args)]
pub struct Args {
    /// A chapter, as ch02, or part0: its exercises, one by one [default: a line for each chapter]
    #[arg(value_name = "CHAPTER")]
    chapter: Option<String>,
    /// The exercises of all chapters, one by one
    #[arg(long, conflicts_with = "chapter")]
    all: bool,
}

/// One line of the list.
struct Item {
    state: State,
    name: String,
    what: String,
    read: String,
    command: String,
    /// What else to say when it is the next: the compiler's first error, where to find a hint.
    note: String,
}

/// What belongs together: a chapter that is typed along, which the ground floor is not, and its exercises.
struct Group {
    name: String,
    typed: Option<Item>,
    /// The chapter's side rooms: the name, what it teaches, and whether the reader has its code.
    rooms: Vec<(Room, &'static str)>,
    tasks: Vec<Item>,
}

impl Group {
    fn items(&self) -> impl Iterator<Item = &Item> {
        self.typed.iter().chain(&self.tasks)
    }

    /// A line of at most 80 characters: how many exercises are green, and which are not.
    fn line(&self, coloured: bool) -> String {
        let mut open: Vec<&Item> =
            self.tasks.iter().filter(|item| item.state != State::Green).collect();
        // What has been begun is never among those that have no room.
        open.sort_by_key(|item| item.state == State::Unstarted);
        let typed = match &self.typed {
            Some(item) => item.state.shown(coloured),
            None => " ".repeat(9),
        };
        let count = format!("{} of {}", self.tasks.len() - open.len(), self.tasks.len());
        let mut line = format!("{:<6} {typed} {count:<6}", self.name);
        // Before the names are 23 characters; "and 9 more" may have to come after them.
        let mut room: usize = 80 - 23 - 11;
        for (shown, item) in open.iter().enumerate() {
            let mark = if item.state == State::Unstarted { "" } else { "*" };
            let width = 1 + item.name.len() + mark.len();
            let Some(left) = room.checked_sub(width) else {
                return line + &format!(" and {} more", open.len() - shown);
            };
            (room, line) = (left, line + " " + &item.name + mark);
        }
        line
    }
}

/// Runs the exercises' tests, and prints where the reader is and what comes next.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let one_by_one = args.all || args.chapter.is_some();
    writeln!(
        io::stderr(),
        "testing the exercises: some seconds, or minutes where they have to be compiled first"
    )?;
    let groups = groups(&root, args.chapter.as_deref(), one_by_one)?;
    let mut out = io::stdout().lock();
    let plain = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let coloured = out.is_terminal() && !plain;
    if !one_by_one {
        writeln!(out, "       typed     exercises, and those that are open (* begun)")?;
    }
    for group in &groups {
        if !one_by_one {
            writeln!(out, "{}", group.line(coloured))?;
            continue;
        }
        for (at, item) in group.items().enumerate() {
            let state = item.state.shown(coloured);
            writeln!(out, "{state}  {:<6} {:<20} {}", group.name, item.name, item.read)?;
            for (room, state) in group.rooms.iter().filter(|_| at == 0) {
                let teaches = format!("side room: {}", room.teaches);
                writeln!(out, "{state:<9}  {:<6} {:<20} {teaches}", group.name, room.name)?;
            }
        }
    }
    let items: Vec<&Item> = groups.iter().flat_map(Group::items).collect();
    let is_done = |item: &&&Item| matches!(item.state, State::Green | State::MainLine);
    let green = items.iter().filter(is_done).count();
    writeln!(out, "\n{green} of {} green", items.len())?;
    if items.iter().any(|item| item.state == State::MainLine) {
        writeln!(out, "main line: green, without some of its side rooms")?;
    }
    if !one_by_one {
        writeln!(out, "one by one: `cargo run -- progress ch00`, or `--all`")?;
    }
    // What has been begun comes before what has not.
    let order = [State::Broken, State::Red, State::Begun, State::Changed, State::Unstarted];
    let next = order.iter().find_map(|state| items.iter().find(|item| item.state == *state));
    match next {
        Some(item) => writeln!(
            out,
            "\nnext: {}, {}\n  read {} (`mdbook serve book`)\n  run  {}{}",
            item.name, item.what, item.read, item.command, item.note
        )?,
        None => writeln!(out, "\nall done")?,
    }
    Ok(out.flush()?)
}

/// All of the course, or one chapter, and the side rooms only if they are asked for.
fn groups(root: &Path, only: Option<&str>, with_rooms: bool) -> Result<Vec<Group>, Error> {
    let all = exercises::all(root)?;
    let of = |chapter: &str| {
        let exercises: Vec<_> = all.iter().filter(|one| one.chapter == chapter).collect();
        tasks(root, &exercises)
    };
    let mut groups = Vec::new();
    let asked = |name: &str| only.is_none_or(|only| only == name);
    if asked("part0") {
        groups.push(Group {
            name: "part0".into(),
            typed: None,
            rooms: Vec::new(),
            tasks: of("part0")?,
        });
    }
    for chapter in chapters::all(root)?.iter().filter(|chapter| asked(&chapter.short)) {
        let typed = Some(typed_along(root, chapter)?);
        let rooms = if with_rooms { rooms(root, chapter)? } else { Vec::new() };
        let tasks = of(&chapter.short)?;
        groups.push(Group { name: chapter.short.clone(), typed, rooms, tasks });
    }
    groups.sort_by_key(|group| exercises::place(&group.name));
    match only {
        // Its own words for a chapter that is not there.
        Some(name) if groups.is_empty() => {
            Err(chapters::find(root, name).err().unwrap_or_else(|| {
                problem(format!("{name}: expected a chapter, as ch02, or part0"))
            }))
        }
        _ => Ok(groups),
    }
}

/// The side rooms of a chapter, and how the reader stands with each.
fn rooms(root: &Path, chapter: &Chapter) -> Result<Vec<(Room, &'static str)>, Error> {
    let pages = pages::of(root, chapter)?;
    let found = chapters::find(root, &chapter.short)?;
    let own = chapters::own(root, &chapter.short);
    let left = reader_position::left_out(&pages, &found, &own);
    let left: Vec<&str> = left.iter().map(|room| room.name.as_str()).collect();
    let state = |page: &Page, room: &Room| match page.only_of(room).listings.is_empty() {
        true => "no code",
        false if left.contains(&room.name.as_str()) => "not taken",
        false => "taken",
    };
    let of_page = |page: &Page| -> Vec<(Room, &'static str)> {
        page.rooms.iter().map(|room| (room.clone(), state(page, room))).collect()
    };
    Ok(pages.iter().flat_map(of_page).collect())
}

/// The exercises of one package. A chapter may have none yet.
fn tasks(root: &Path, exercises: &[&Exercise]) -> Result<Vec<Item>, Error> {
    let tried = exercises::try_package(root, exercises)?;
    Ok(exercises.iter().zip(tried).map(|(exercise, tried)| task(exercise, &tried)).collect())
}

fn task(exercise: &Exercise, tried: &Tried) -> Item {
    let name = &exercise.name;
    let state = match tried.state {
        exercises::State::Green => State::Green,
        exercises::State::Red => State::Red,
        exercises::State::Unstarted => State::Unstarted,
        exercises::State::Broken => State::Broken,
    };
    let (level, minutes) = (exercise.get("level"), exercise.get("minutes"));
    Item {
        state,
        what: match state {
            State::Broken => {
                format!("{} does not compile", path_line(&exercises::file(exercise)))
            }
            _ => format!("{} ({level}, {minutes} minutes)", exercise.get("title")),
        },
        read: format!("\"{}\", {}", exercise.get("section"), exercise.address()),
        command: format!("cargo run -- watch {name}"),
        note: match state {
            State::Broken => {
                // The first error: the others often follow from it. And no more of it than the screen has lines for.
                let error = tried.text.split("\n\n").next().unwrap_or_default();
                format!("\n\n{}", error.lines().take(6).collect::<Vec<_>>().join("\n"))
            }
            _ => format!("\n  hint cargo run -- hint {name}"),
        },
        name: name.clone(),
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
    let (found, mut top) = (chapters::find(root, &chapter.short)?, chapter);
    for below in found.bases() {
        let own = chapters::own_base(root, top).filter(|base| base.exists());
        let Some(own) = own else { break };
        newest = newest.max(self::newest(&own)?);
        top = below;
    }
    Ok(checked(said, newest))
}

/// The word of the last `check` and when it was said: it holds for files that are no newer.
fn checked(said: Option<(String, SystemTime)>, newest: SystemTime) -> State {
    match said {
        Some((word, at)) if newest <= at => match word.as_str() {
            "green" => State::Green,
            "red" => State::Red,
            MAIN_LINE => State::MainLine,
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
    fn a_chapter_has_a_line_that_fits_the_screen() {
        let item = |state, name: &str| Item {
            state,
            name: name.into(),
            what: String::new(),
            read: String::new(),
            command: String::new(),
            note: String::new(),
        };
        let group = |names: &[&str]| Group {
            name: "ch07".into(),
            typed: Some(item(State::Unstarted, "my/ch07")),
            rooms: Vec::new(),
            tasks: names.iter().map(|name| item(State::Unstarted, name)).collect(),
        };
        let mut few = group(&["undo_turn", "rope", "packing"]);
        (few.tasks[0].state, few.tasks[2].state) = (State::Green, State::Red);
        assert_eq!(few.line(false), "ch07   unstarted 1 of 3 packing* rope");
        let long = "a_name_of_some_length";
        let line = group(&[long; 4]).line(false);
        assert!(line.len() <= 80 && line.ends_with(" and 2 more"), "{line}");
        // No exercise that there is makes a line longer.
        let root = chapters::root();
        for chapter in exercises::all(&root)
            .expect("they can be read")
            .chunk_by(|a, b| a.chapter == b.chapter)
        {
            let names: Vec<&str> = chapter.iter().map(|one| one.name.as_str()).collect();
            let line = group(&names).line(false);
            assert!(line.len() <= 80, "{line}");
        }
        let coloured = State::Red.shown(true);
        assert_eq!(coloured, "\u{1b}[31mred      \u{1b}[0m");
    }

    #[test]
    fn a_word_holds_until_a_file_changes() {
        let now = SystemTime::now();
        let (before, after) = (now - Duration::from_secs(1), now + Duration::from_secs(1));
        let said = |word: &str| Some((word.to_string(), now));
        assert_eq!(checked(said("green"), before), State::Green);
        assert_eq!(checked(said("red"), before), State::Red);
        assert_eq!(checked(said("contiguous"), before), State::Begun);
        assert_eq!(checked(said(MAIN_LINE), before), State::MainLine);
        assert_eq!(checked(said("green"), now), State::Green);
        assert_eq!(checked(said("green"), after), State::Changed);
        assert_eq!(checked(said("red"), after), State::Changed);
        assert_eq!(checked(None, before), State::Changed);
    }
}
