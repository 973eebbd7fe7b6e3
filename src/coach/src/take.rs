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
    /// The room, as its page names it: ch04/panics; or a page, for all that it supplies
    #[arg(value_name = "ROOM")]
    name: String,
    /// Put the files back as they were before
    #[arg(long)]
    undo: bool,
}

/// Takes a room, or all that a page supplies, or puts back what was there before it.
pub fn run(args: &Args) -> Result<(), Error> {
    let root = chapters::root();
    let short = args.name.split('/').next().unwrap_or_default();
    let found = chapters::find(&root, short)?;
    let pages = pages::of(&root, &found.chapter)?;
    let (own, taken) = (chapters::own(&root, short), root.join("my/.taken"));
    let left = reader_position::left_out(&pages, &found, &own);
    // What was taken by itself stays; of what is all there, the first says so.
    let is_wanted = |name: &String| match args.undo {
        true => taken.join(name).is_dir(),
        false => left.iter().any(|room| room.name == *name),
    };
    let mut names = supplied(&pages, short, &args.name);
    if names.iter().any(is_wanted) {
        names.retain(is_wanted);
    } else {
        names.truncate(1);
    }
    if args.undo {
        names.reverse();
    }
    for name in names {
        let kept = taken.join(&name);
        let said = match args.undo {
            true => undo(&pages, &own, &kept, &name)?,
            false => {
                take(&pages, &found, &own, &kept, &name)?
                    + &format!(
                        "What was there is in my/.taken/{name}; `cargo run -- take --undo {name}` puts it back.\n"
                    )
            }
        };
        io::stdout().write_all(said.as_bytes())?;
    }
    Ok(())
}

/// The stretches that the page of this name supplies; the name itself, if it's that of a room.
fn supplied(pages: &[Page], short: &str, name: &str) -> Vec<String> {
    let its = pages.iter().filter(|page| format!("{short}/{}", page.name) == name);
    let stretches = its.flat_map(|page| {
        page.rooms.iter().filter(|room| room.needed_by.as_ref() == Some(&page.name))
    });
    let names: Vec<String> = stretches.map(|room| room.name.clone()).collect();
    if names.is_empty() { vec![name.into()] } else { names }
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
    // Stretches of one page don't wait for each other: the page has room for them in any order.
    let builds_on = |other: &&&Room| {
        other.needed_by.as_ref() == Some(&pages[at].name)
            && pages[at].rooms.iter().all(|one| one.name != other.name)
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

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::pages::Listing;

    #[test]
    fn stretches_of_one_page_dont_wait_for_each_other_but_for_those_of_an_earlier_one() {
        let found = chapters::find(&chapters::root(), "ch02").expect("it is there");
        let own = tempfile::tempdir().expect("a temporary folder");
        fs::write(own.path().join("Cargo.toml"), "").expect("written");
        let page = |name: &str, rooms: &[&str]| {
            let name_of = |room: &&str| format!("ch02/{name}#{room}");
            let listing = |room: &&str| Listing {
                file: format!("src/{room}.rs"),
                what: "new file".into(),
                pieces: vec![vec![Row::Comes(format!("pub fn {room}() {{}}"))]],
                room: Some(name_of(room)),
            };
            let room = |room: &&str| Room {
                name: name_of(room),
                teaches: String::new(),
                needed_by: Some("later".into()),
                is_whole_page: false,
            };
            Page {
                name: name.into(),
                title: String::new(),
                listings: rooms.iter().map(listing).collect(),
                compiles: true,
                examples: Vec::new(),
                rooms: rooms.iter().map(room).collect(),
            }
        };
        let pages = [page("earlier", &["first"]), page("later", &["second", "third"])];
        let taken = |name: &str| {
            let kept = own.path().join("kept").join(name);
            take(&pages, &found, own.path(), &kept, &format!("ch02/{name}"))
        };
        let error = taken("later#third").expect_err("the first one is missing").to_string();
        assert!(error.contains("later#third builds on ch02/earlier#first"), "{error}");
        assert_eq!(supplied(&pages, "ch02", "ch02/earlier"), ["ch02/earlier"]);
        let both = ["ch02/later#second", "ch02/later#third"];
        assert_eq!(supplied(&pages, "ch02", "ch02/later"), both);
        assert_eq!(supplied(&pages, "ch02", both[1]), both[1..]);
        for name in ["earlier#first", "later#third", "later#second"] {
            let said = taken(name).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert!(said.contains("1 lines new"), "{said}");
        }
    }
}
