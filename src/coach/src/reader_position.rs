//! On which page a reader is and which side rooms were left out, told from what is typed.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::Path;

use catalog::chapters::{Chapter, Found};
use catalog::error::problem;
use catalog::pages::{Page, Room, Row};
use ground::error::Error;

/// How many pages the reader has typed: all up to the last one of which most new lines are in the files of `own`. A line
/// counts for the first page that brings it, unless the chapter before has it. Of a page with side rooms what is outside
/// them counts, if there is any.
pub fn typed(pages: &[Page], found: &Found, own: &Path) -> usize {
    let counts = counts(pages, found, own, &Lines::new());
    let is_there = |page: &Page| {
        let main = counts.iter().find(|(at, room, _)| *at == page.name && room.is_none());
        let mut all = counts.iter().filter(|(at, ..)| *at == page.name);
        main.map_or_else(|| all.any(|(.., there)| *there), |(.., there)| *there)
    };
    pages.iter().rposition(is_there).map_or(0, |at| at + 1)
}

/// The side rooms of these pages of which most lines are not in the files of `own`, though no page took them away again.
pub fn left_out<'a>(pages: &'a [Page], found: &Found, own: &Path) -> Vec<&'a Room> {
    let rows = |page: &'a Page| page.listings.iter().map(|one| (&one.file, &one.pieces));
    let rows = pages.iter().flat_map(rows);
    let rows =
        rows.flat_map(|(file, pieces)| pieces.iter().flatten().map(move |row| (file, row)));
    let gone = rows.filter_map(|(file, row)| match row {
        Row::Goes(line) => Some((file.as_str(), line.trim())),
        _ => None,
    });
    let counts = counts(pages, found, own, &gone.collect());
    let is_missing = |room: &&Room| {
        counts.iter().any(|(_, name, there)| name.as_ref() == Some(&room.name) && !there)
    };
    pages.iter().flat_map(|page| &page.rooms).filter(is_missing).collect()
}

/// Of files.
type Lines<'a> = HashSet<(&'a str, &'a str)>;

/// Of each page's rooms, and of what is outside them, whether most of the new lines are there, but for those that are `gone`.
fn counts(
    pages: &[Page],
    found: &Found,
    own: &Path,
    gone: &Lines,
) -> Vec<(String, Option<String>, bool)> {
    let lines = |folder: &Path, file: &str| -> HashSet<String> {
        let text = fs::read_to_string(folder.join(file)).unwrap_or_default();
        text.lines().map(|line| line.trim().to_string()).collect()
    };
    let mut files: BTreeMap<&str, [HashSet<String>; 2]> = BTreeMap::new();
    let mut seen = Lines::new();
    let begins = found.base.as_ref().or(found.before.as_ref());
    let mut counts = Vec::new();
    for page in pages {
        let mut of_page: BTreeMap<&Option<String>, (usize, usize)> = BTreeMap::new();
        for listing in &page.listings {
            let file = &listing.file;
            let [before, own] = files.entry(file).or_insert_with(|| {
                let before = begins.map(|before| lines(&before.folder, file));
                [before.unwrap_or_default(), lines(own, file)]
            });
            let (all, there) = of_page.entry(&listing.room).or_default();
            for row in listing.pieces.iter().flatten() {
                let Row::Comes(line) = row else { continue };
                let line = line.trim();
                let says = line.chars().any(char::is_alphabetic) && !before.contains(line);
                let place = (file.as_str(), line);
                if says && !gone.contains(&place) && seen.insert(place) {
                    *all += 1;
                    *there += usize::from(own.contains(line));
                }
            }
        }
        let count = of_page.into_iter().filter(|(_, (all, _))| *all > 0);
        counts.extend(count.map(|(room, (all, there))| {
            (page.name.clone(), room.clone(), there * 10 >= all * 6)
        }));
    }
    counts
}

/// How many pages there are up to the one that the reader names.
pub fn upto(pages: &[Page], chapter: &Chapter, name: &str) -> Result<usize, Error> {
    pages.iter().position(|page| page.name == name).map(|at| at + 1).ok_or_else(|| {
        let names: Vec<&str> = pages.iter().map(|page| page.name.as_str()).collect();
        let short = &chapter.short;
        problem(format!("{short} has no page {name:?}: expected one of {}", names.join(", ")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use catalog::chapters;
    use catalog::pages::of;

    #[test]
    fn a_page_is_typed_when_most_of_it_is_there_whatever_things_are_called() {
        let root = chapters::root();
        let found = chapters::find(&root, "ch02").expect("it is there");
        let pages = of(&root, &found.chapter).expect("the pages can be read");
        let own = tempfile::tempdir().expect("a temporary folder");
        let named = || match typed(&pages, &found, own.path()) {
            0 => "",
            count => pages[count - 1].name.as_str(),
        };
        assert_eq!(named(), "");
        // So many parts of ten of what a page brings.
        let write = |page: &str, parts: usize| {
            let listings =
                pages.iter().filter(|one| one.name == page).flat_map(|one| &one.listings);
            for listing in listings.filter(|listing| listing.file.starts_with("src/cache/")) {
                let path = own.path().join(&listing.file);
                let mut text = fs::read_to_string(&path).unwrap_or_default();
                for (at, row) in listing.pieces.iter().flatten().enumerate() {
                    if let (Row::Comes(line), true) = (row, at % 10 < parts) {
                        text += &format!("{}\n", line.replace("length", "rows_so_far"));
                    }
                }
                fs::create_dir_all(own.path().join("src/cache")).expect("a folder");
                fs::write(&path, text).expect("written");
            }
        };
        write("cache", 10);
        assert_eq!(named(), "cache");
        write("basic", 4);
        assert_eq!(named(), "cache");
        write("basic", 10);
        assert_eq!(named(), "basic");
    }
}
