//! `take ch04/panics`: the code of a side room, typed into the reader's chapter, and undone.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use catalog::chapters::{self, Found};
use catalog::error::problem;
use catalog::pages::{self, Page, Room, Row};
use ground::error::Error;
use ground::text::path_line;

use crate::reader_position;

/// Which side room.
#[derive(clap::Args)]
pub struct Args {
    /// The room, as its page names it: ch04/panics
    #[arg(value_name = "ROOM")]
    name: String,
    /// Put the files back as they were before
    #[arg(long)]
    undo: bool,
}

/// Takes a room, or puts back what was there before it.
pub fn run(args: &Args) -> Result<(), Error> {
    let (root, name) = (chapters::root(), &args.name);
    let short = name.split('/').next().unwrap_or_default();
    let found = chapters::find(&root, short)?;
    let pages = pages::of(&root, &found.chapter)?;
    let (own, kept) = (chapters::own(&root, short), root.join("my/.taken").join(name));
    let mut said = match args.undo {
        true => undo(&pages, &own, &kept, name)?,
        false => take(&pages, &found, &own, &kept, name)?,
    };
    if !args.undo {
        said += &format!(
            "What was there is in my/.taken/{name}; `cargo run -- take --undo {name}` puts it back.\n"
        );
    }
    Ok(io::stdout().write_all(said.as_bytes())?)
}

/// Types what the room shows into `own`, and says where. `kept` gets the files that it changes, as they were.
pub fn take(
    pages: &[Page],
    found: &Found,
    own: &Path,
    kept: &Path,
    name: &str,
) -> Result<String, Error> {
    let (at, room) = named(pages, name)?;
    let (shown, short) = (pages[at].only_of(room), &found.chapter.short);
    let refused = |why: String| Err(problem(why));
    if shown.listings.is_empty() {
        return refused(format!("{name} brings no code: there is nothing to take"));
    }
    if !own.join("Cargo.toml").is_file() {
        return refused(format!("there is no my/{short} yet: `cargo run -- start {short}`"));
    }
    let left = reader_position::left_out(pages, found, own);
    if left.iter().all(|room| room.name != name) {
        return refused(format!("my/{short} has the side room {name} already"));
    }
    let count = reader_position::typed(pages, found, own);
    let is_typed = |page: &&Page| !page.only_main().listings.is_empty();
    if let Some(page) = pages[..at].iter().skip(count).find(is_typed) {
        return refused(format!(
            "{name} comes after \"{}\" ({short}/{}), which my/{short} doesn't have yet: type that first",
            page.title, page.name
        ));
    }
    let builds_on = |other: &&&Room| {
        other.needed_by.as_ref() == Some(&pages[at].name) && other.name != *name
    };
    if let Some(other) = left.iter().find(builds_on) {
        return refused(format!(
            "{name} builds on {0}: `cargo run -- take {0}` first",
            other.name
        ));
    }
    let typed = shown.typed(|file| fs::read_to_string(own.join(file)).unwrap_or_default());
    let typed = typed.map_err(|why| {
        problem(format!("my/{short} isn't as the book has it, and nothing was written: {why}"))
    })?;
    if kept.exists() {
        fs::remove_dir_all(kept)?;
    }
    fs::create_dir_all(kept)?;
    let old =
        |file: &String| Some((file.clone(), Some(fs::read_to_string(own.join(file)).ok()?)));
    pages::write(kept, &typed.keys().filter_map(old).collect())?;
    pages::write(own, &typed)?;
    let mut said = format!("{name} is in my/{short} now:\n");
    for file in typed.keys() {
        let rows = shown.listings.iter().filter(|listing| listing.file == *file);
        let rows: Vec<&Row> =
            rows.flat_map(|listing| listing.pieces.iter().flatten()).collect();
        let new = rows.iter().filter(|row| matches!(row, Row::Comes(_))).count();
        let gone = rows.iter().filter(|row| matches!(row, Row::Goes(_))).count();
        said += &format!("  {file:<28} {new:>4} lines new, {gone} gone\n");
    }
    Ok(said)
}

/// Puts the files back as they were, unless they have changed since.
pub fn undo(pages: &[Page], own: &Path, kept: &Path, name: &str) -> Result<String, Error> {
    let (at, room) = named(pages, name)?;
    if !kept.is_dir() {
        return Err(problem(format!("{name} was not taken: there is nothing to undo")));
    }
    let old = |file: &str| fs::read_to_string(kept.join(file)).ok();
    let typed = pages[at].only_of(room).typed(|file| old(file).unwrap_or_default())?;
    for (file, text) in &typed {
        if fs::read_to_string(own.join(file)).ok() != *text {
            return Err(problem(format!(
                "{file} has changed since {name} was taken, and nothing was put back: what was there is in {}",
                path_line(kept)
            )));
        }
    }
    pages::write(own, &typed.keys().map(|file| (file.clone(), old(file))).collect())?;
    fs::remove_dir_all(kept)?;
    Ok(format!("All files are as they were before {name} was taken.\n"))
}

/// The page that it is on, and the room.
fn named<'a>(pages: &'a [Page], name: &str) -> Result<(usize, &'a Room), Error> {
    let of_page = |(at, page): (usize, &'a Page)| page.rooms.iter().map(move |room| (at, room));
    let rooms: Vec<(usize, &Room)> = pages.iter().enumerate().flat_map(of_page).collect();
    rooms.iter().find(|(_, room)| room.name == name).copied().ok_or_else(|| {
        let names: Vec<&str> = rooms.iter().map(|(_, room)| room.name.as_str()).collect();
        let which = match names.as_slice() {
            [] => "that chapter has none".into(),
            names => format!("expected one of {}", names.join(", ")),
        };
        problem(format!("there is no side room {name:?}: {which}"))
    })
}
