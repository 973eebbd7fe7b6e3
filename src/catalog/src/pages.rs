//! The pages of a chapter as a reader types them: which hunks each shows is read from the book itself, and so is how far a
//! reader has come.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::Range;
use std::path::Path;

use ground::error::Error;

use crate::chapters::Chapter;
use crate::error::{problem, problem_at};
use crate::examples::named_in;
use crate::files::read;
use crate::hunks::apply_hunks::{Line, Mark, as_shown};
use crate::hunks::caption::what_happens;
use crate::hunks::diff;
use crate::hunks::file_diff::FileDiff;
use crate::hunks::lexer::{Kind, lex};
use crate::hunks::select::select;
use crate::hunks::shown;
use crate::repository::{self, Repository};
use crate::rooms;

/// A page of a chapter.
#[derive(Clone, Debug)]
pub struct Page {
    /// `cache` of `ch02/cache.md`
    pub name: String,
    pub title: String,
    /// What is typed on it, from top to bottom.
    pub listings: Vec<Listing>,
    /// Whether the crate compiles where it ends: else it is in the middle of a change.
    pub compiles: bool,
    /// The examples that it lets readers run on code of their own.
    pub examples: Vec<String>,
    pub rooms: Vec<Room>,
}

/// A side room: the page, or a stretch of it.
#[derive(Clone, Debug)]
pub struct Room {
    /// `ch04/panics`, or `ch05/integers#neon`
    pub name: String,
    /// What it is about.
    pub teaches: String,
    /// The first page that builds on what it brings.
    pub needed_by: Option<String>,
    pub is_whole_page: bool,
}

/// What a page adds to one file, and takes away.
#[derive(Clone, Debug)]
pub struct Listing {
    /// Inside the chapter's folder: `src/cache/mod.rs`.
    pub file: String,
    /// The words above it, with quotes around code: "new: `fn write`, after `fn new`".
    pub what: String,
    /// Stretches of the file that are next to each other.
    pub pieces: Vec<Vec<Row>>,
    /// The side room that it is in.
    pub room: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    Stays(String),
    Comes(String),
    Goes(String),
}

/// All pages of the chapter, in the order of the book. One that shows no code of the chapter has no listings.
pub fn of(root: &Path, chapter: &Chapter) -> Result<Vec<Page>, Error> {
    in_book(&Repository::open(root)?, &chapter.short, &chapter.name)
}

/// The same, of the chapter whose package has this name.
pub fn in_book(
    repository: &Repository,
    short: &str,
    package: &str,
) -> Result<Vec<Page>, Error> {
    let book = repository.book();
    let own = |state: &repository::Chapter| state.package == package;
    let changes = diff::changes(repository.states(), own);
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    let mut pages: Vec<Page> = Vec::new();
    for line in read(&book.join("SUMMARY.md"))?.lines() {
        let Some((title, rest)) = line.split_once("](") else { continue };
        let Some((folder, file)) = rest.trim_end_matches(')').split_once('/') else { continue };
        let Some(name) = file.strip_suffix(".md").filter(|_| folder == short) else {
            continue;
        };
        let title = title.trim_start_matches([' ', '-', '[']).to_string();
        // A page that types nothing leaves the crate as it was.
        let compiles = pages.last().is_none_or(|page| page.compiles);
        let path = book.join(folder).join(file);
        let text = read(&path)?;
        let marks = rooms::marks(&text)
            .map_err(|(line, why)| problem_at(&path, format!("line {line}: {why}")))?;
        let address = format!("{folder}/{name}");
        let rooms = marks.iter().map(|mark| Room {
            name: mark.name(&address),
            teaches: mark.teaches.clone(),
            needed_by: mark.needed_by.clone(),
            is_whole_page: mark.stretch.is_none(),
        });
        let (name, listings, examples) = (name.to_string(), Vec::new(), named_in(&text));
        let (rooms, examples) = (rooms.collect(), examples.collect());
        let mut page = Page { name, title, listings, compiles, examples, rooms };
        let opens = "{{#include ../generated/";
        for (at, _) in text.match_indices(opens) {
            let include = &text[at + opens.len()..];
            let target = include.split(".md}}").next().unwrap_or_default();
            let state = target.split('/').next().unwrap_or_default();
            if let Some(change) = changes.iter().find(|change| change.short == state) {
                let seen = seen.entry(&change.short).or_default();
                let (file, hunks) =
                    select(change, target).map_err(|why| problem_at(&path, why))?;
                let room = marks.iter().find(|mark| mark.inside.contains(&at));
                let room = room.map(|mark| mark.name(&address));
                page.listings.push(Listing { room, ..Listing::new(file, &hunks, seen) });
                page.compiles = false;
                seen.extend(hunks);
            }
            page.compiles |= target.ends_with("checkpoint");
        }
        pages.push(page);
    }
    Ok(pages)
}

/// The pages as a reader types them who leaves these rooms out.
pub fn without(pages: &[Page], left: &BTreeSet<String>) -> Vec<Page> {
    let is_there = |page: &&Page| !page.room().is_some_and(|room| left.contains(&room.name));
    let typed = |page: &Page| page.only(|room| room.is_none_or(|room| !left.contains(room)));
    pages.iter().filter(is_there).map(typed).collect()
}

impl Page {
    /// The room that it is as a whole.
    pub fn room(&self) -> Option<&Room> {
        self.rooms.iter().find(|room| room.is_whole_page)
    }

    /// With what this room shows and nothing else.
    pub fn only_of(&self, room: &Room) -> Page {
        self.only(|of| of == Some(&room.name))
    }

    /// With what it shows outside its rooms.
    pub fn only_main(&self) -> Page {
        self.only(|room| room.is_none())
    }

    /// Whether it shows where the code begins that has this name.
    pub fn defines(&self, name: &str) -> bool {
        let kinds = ["fn", "struct", "enum", "trait", "mod", "const", "type"];
        let is_there = |line: &str| {
            let words: Vec<&str> =
                line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
            words.windows(2).any(|two| two[1] == name && kinds.contains(&two[0]))
                || line.trim().starts_with(&format!("pub {name}:"))
        };
        let mut rows = self.listings.iter().flat_map(|one| one.pieces.iter().flatten());
        rows.any(|row| matches!(row, Row::Comes(line) if is_there(line)))
    }

    fn only(&self, is_typed: impl Fn(Option<&String>) -> bool) -> Page {
        let mut page = self.clone();
        page.listings.retain(|listing| is_typed(listing.room.as_ref()));
        page
    }

    /// Types what the page shows into the package in `folder`, as a reader does who looks at nothing else.
    pub fn type_into(&self, folder: &Path) -> Result<(), Error> {
        let typed =
            self.typed(|file| fs::read_to_string(folder.join(file)).unwrap_or_default())?;
        write(folder, &typed)
    }

    /// The files that the page changes, with what is in them then. None: the file goes.
    pub fn typed(&self, read: impl Fn(&str) -> String) -> Result<Typed, Error> {
        let mut typed = Typed::new();
        for listing in &self.listings {
            let text = match typed.remove(&listing.file) {
                Some(text) => text.unwrap_or_default(),
                None => read(&listing.file),
            };
            let new = match listing.what.as_str() {
                "the file goes" => None,
                what => Some(listing.typed_into(&text).map_err(|why| {
                    problem(format!("{}, {} ({what}): {why}", self.name, listing.file))
                })?),
            };
            let new = new.map(|new| with_places_of(&text, &new));
            typed.insert(listing.file.clone(), new);
        }
        Ok(typed)
    }
}

/// Files, with what is in them. None: there is none.
pub type Typed = BTreeMap<String, Option<String>>;

pub fn write(folder: &Path, files: &Typed) -> Result<(), Error> {
    for (file, text) in files {
        let path = folder.join(file);
        match text {
            Some(text) => {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                fs::write(path, text)?;
            }
            None => fs::remove_file(path)?,
        }
    }
    Ok(())
}

impl Listing {
    /// What the book shows of these hunks to a reader who has `seen` those.
    fn new(file: &FileDiff, hunks: &BTreeSet<String>, seen: &BTreeSet<String>) -> Listing {
        let lines = as_shown(file, seen, hunks);
        let row = |line: &Line| {
            let text = line.text(file).trim_end_matches('\n').to_string();
            match line.mark {
                Mark::Same => Row::Stays(text),
                Mark::Added => Row::Comes(text),
                Mark::Removed => Row::Goes(text),
            }
        };
        let pieces = shown::places(file, &lines, hunks, true);
        Listing {
            file: file.path.clone(),
            what: what_happens(file, hunks, &lines, seen),
            pieces: pieces.iter().map(|piece| piece.iter().map(row).collect()).collect(),
            room: None,
        }
    }

    fn typed_into(&self, text: &str) -> Result<String, String> {
        // What `start` put there of a new file is among its lines.
        let text = if self.what.starts_with("new file") { "" } else { text };
        let mut lines: Vec<String> = text.lines().map(String::from).collect();
        let mut places: Vec<Place> = places(&self.what);
        for piece in &self.pieces {
            let old = piece.iter().filter(|row| !matches!(row, Row::Comes(_)));
            let old: Vec<&str> = old.map(Row::text).filter(|line| !line.is_empty()).collect();
            let new = piece.iter().filter(|row| !matches!(row, Row::Goes(_)));
            let mut new: Vec<String> = new.map(|row| row.text().to_string()).collect();
            let range = if !old.is_empty() {
                found(&lines, &old)?
            } else if text.is_empty() {
                lines.len()..lines.len()
            } else {
                let brings = |place: &Place| new.iter().any(|line| begins(line, place.what));
                let at = places.iter().position(brings).ok_or("no word says where it goes")?;
                let at = places.remove(at).line(&lines)?;
                new.insert(if at == 0 { new.len() } else { 0 }, String::new());
                at..at
            };
            lines.splice(range, new);
        }
        Ok(lines.join("\n") + "\n")
    }
}

impl Row {
    fn text(&self) -> &str {
        let (Row::Stays(line) | Row::Comes(line) | Row::Goes(line)) = self;
        line
    }
}

/// A manifest says where its base is in a line that `start` has written: `ch08-f16-cache.path = "..."`. From the reader's
/// folder that is another place than the one in the book.
fn with_places_of(written: &str, typed: &str) -> String {
    let kept = |line: &str| {
        let (base, _) = line.split_once(".path = ").filter(|_| line.starts_with("ch"))?;
        let begin = format!("{base}.path = ");
        written.lines().find(|old| old.starts_with(&begin)).map(str::to_string)
    };
    let lines = typed.lines().map(|line| kept(line).unwrap_or(line.into()) + "\n");
    lines.collect()
}

/// Where these lines are, one after the other; how many blank lines are between them is no matter.
fn found(lines: &[String], old: &[&str]) -> Result<Range<usize>, String> {
    let there: Vec<usize> = (0..lines.len()).filter(|&at| !lines[at].is_empty()).collect();
    let same = |run: &&[usize]| run.iter().zip(old).all(|(&at, old)| lines[at] == *old);
    let mut all = there.windows(old.len()).filter(same);
    match (all.next(), all.next()) {
        (Some(run), None) => Ok(run[0]..run[run.len() - 1] + 1),
        (first, _) => {
            let times = if first.is_some() { "more than once" } else { "nowhere" };
            Err(format!("its old lines are there {times}: {}", old[0]))
        }
    }
}

/// What the words above a listing say of something new: the first thing that it is, what holds it, what it comes after.
struct Place<'a> {
    what: &'a str,
    within: Option<&'a str>,
    after: &'a str,
}

fn places(what: &str) -> Vec<Place<'_>> {
    let (mut places, mut within, mut new) = (Vec::new(), None, false);
    for clause in what.split("; ") {
        let mut rest = clause;
        if let Some((holder, names)) =
            clause.strip_prefix("new in `").and_then(|rest| rest.split_once("`: "))
        {
            (within, new, rest) = (Some(holder), true, names);
        } else if let Some(names) = clause.strip_prefix("new: ") {
            (new, rest) = (true, names);
            if !clause.contains("`fn ") {
                within = None;
            }
        } else if let Some(holder) = clause.strip_prefix("in `impl ") {
            // What is new after it may be in it as well.
            within = holder.find('`').map(|end| &clause[4..][..end + "impl ".len()]);
        }
        let Some((names, after)) = rest.rsplit_once(", ").filter(|_| new) else { continue };
        let what = names.trim_start_matches("a second ").trim_start_matches("another ");
        let what = what.trim_start_matches('`').split('`').next().unwrap_or_default();
        let after = after.trim_start_matches("after ").trim_matches('`');
        places.push(Place { what: what.split(", ").next().unwrap_or_default(), within, after });
    }
    places
}

impl Place<'_> {
    /// The line that it begins at.
    fn line(&self, lines: &[String]) -> Result<usize, String> {
        let starts = |what: &str| {
            (0..lines.len()).filter(|&at| begins(&lines[at], what)).collect::<Vec<_>>()
        };
        let holder = self.within.and_then(|holder| starts(holder).first().copied());
        match (self.after, holder) {
            ("at the top", _) => return Ok(0),
            ("at its top", Some(holder)) => return Ok(holder + 1),
            ("the first", _) => return Ok(end(lines, starts(self.what)[0])),
            _ => {}
        }
        let all = starts(self.after);
        let inside = |at: &&usize| {
            holder.is_some_and(|holder| (holder..end(lines, holder)).contains(at))
        };
        match all.iter().find(inside).or(all.last()) {
            Some(_) if all.len() > 1 && holder.is_none() && self.after.starts_with('f') => {
                Err(format!("`{}` is there more than once", self.after))
            }
            Some(&at) => Ok(end(lines, at)),
            None => Err(format!("`{}` is not there", self.after)),
        }
    }
}

/// Whether this line is the first one of what the book calls so: `fn write`, `impl From for Error`, the imports.
fn begins(line: &str, what: &str) -> bool {
    match what {
        "the imports" => return line.starts_with("use ") || line.starts_with("pub use "),
        "the head of the file" => return line.starts_with("//!"),
        _ => {}
    }
    let mut depth = 0usize;
    let plain: String = line
        .trim()
        .replace("->", "")
        .chars()
        .filter(|c| {
            depth += usize::from(*c == '<');
            let outside = depth == 0;
            depth = depth.saturating_sub(usize::from(*c == '>'));
            outside
        })
        .collect();
    let Some((before, after)) = plain.split_once(what) else { return false };
    let words = ["pub", "pub(super)", "pub(crate)", "unsafe", "const", "async"];
    before.split_whitespace().all(|word| words.contains(&word))
        && !after.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// One past the last line of the item that begins at this one.
fn end(lines: &[String], start: usize) -> usize {
    let mut depth = 0i32;
    for (at, line) in lines.iter().enumerate().skip(start) {
        let mut code = lex(line);
        code.retain(|token| !matches!(token.kind, Kind::Space | Kind::Comment));
        for token in code.iter().filter(|token| token.kind != Kind::Text) {
            depth += token.text.matches(['{', '(', '[']).count() as i32;
            depth -= token.text.matches(['}', ')', ']']).count() as i32;
        }
        if depth <= 0 && code.last().is_none_or(|last| last.text.ends_with([';', '}'])) {
            return at + 1;
        }
    }
    lines.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chapters;

    #[test]
    fn a_base_stays_where_start_has_found_it() {
        let (written, typed) =
            ("ch08-f16-cache.path = \"/a\"\n", "[lib]\nch08-f16-cache.path = \"../b\"\n");
        assert_eq!(with_places_of(written, typed), "[lib]\nch08-f16-cache.path = \"/a\"\n");
        assert_eq!(with_places_of("", typed), typed);
    }

    #[test]
    fn what_a_chapter_says_to_come_comes_with_one_of_its_pages() {
        let root = chapters::root();
        let mut named = 0;
        for chapter in chapters::all(&root).expect("the chapters can be read") {
            let pages = of(&root, &chapter).expect("the pages can be read");
            let about = &chapter.about;
            let ways = about.ways.iter().filter_map(|way| way.from.as_ref());
            let numbers = about.numbers_from.iter().chain(&about.judged_from);
            for from in ways.chain(about.parts_from.values()).chain(numbers) {
                let page = pages.iter().find(|page| page.name == *from);
                let works = page.is_some_and(|page| page.compiles && !page.listings.is_empty());
                assert!(works, "{}: {from}", chapter.name);
                named += 1;
            }
            for part in about.parts_from.keys() {
                assert!(about.parts.contains(part), "{}: {part}", chapter.name);
            }
        }
        assert!(named > 10, "{named}");
    }
}
