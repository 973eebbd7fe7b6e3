//! On which page a reader is, told from what is typed.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use catalog::chapters::{Chapter, Found};
use catalog::error::problem;
use ground::error::Error;

use crate::pages::{Page, Row};

/// How many pages the reader has typed: all up to the last one of which most new lines are in the files of `own`. A line
/// counts for the first page that brings it, unless the chapter before has it.
pub fn typed(pages: &[Page], found: &Found, own: &Path) -> usize {
    let trimmed =
        |text: String| text.lines().map(|line| line.trim().to_string()).collect::<Vec<_>>();
    let lines = |folder: &Path, file: &str| {
        trimmed(fs::read_to_string(folder.join(file)).unwrap_or_default())
    };
    let mut seen: BTreeSet<(String, String)> = BTreeSet::new();
    let begins = found.base.as_ref().or(found.before.as_ref());
    let mut last = 0;
    for (at, page) in pages.iter().enumerate() {
        let (mut all, mut there) = (0, 0);
        for listing in &page.listings {
            let file = &listing.file;
            let before = begins.map_or(Vec::new(), |before| lines(&before.folder, file));
            let own = lines(own, file);
            for row in listing.pieces.iter().flatten() {
                let Row::Comes(line) = row else { continue };
                let line = line.trim().to_string();
                let says = line.chars().any(char::is_alphabetic) && !before.contains(&line);
                if says && seen.insert((file.clone(), line.clone())) {
                    all += 1;
                    there += usize::from(own.contains(&line));
                }
            }
        }
        if all > 0 && there * 10 >= all * 6 {
            last = at + 1;
        }
    }
    last
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
    use crate::pages::of;
    use catalog::chapters;

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
        write("contiguous", 4);
        assert_eq!(named(), "cache");
        write("contiguous", 10);
        assert_eq!(named(), "contiguous");
    }
}
