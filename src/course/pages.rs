//! The pages of a chapter as a reader types them: what each adds is read from the book itself, and so is how far a reader
//! has come.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use ground::error::Error;

use crate::chapters::{Chapter, Found, problem, problem_at};

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
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Row {
    Stays(String),
    Comes(String),
    Goes(String),
}

/// All pages of the chapter, in the order of the book. One that shows no code of the chapter has no listings.
pub fn of(root: &Path, chapter: &Chapter) -> Result<Vec<Page>, Error> {
    let book = root.join("book/src");
    let summary = book.join("SUMMARY.md");
    let read = |path: &Path| fs::read_to_string(path).map_err(|error| problem_at(path, error));
    let mut pages: Vec<Page> = Vec::new();
    for line in read(&summary)?.lines() {
        let Some((title, rest)) = line.split_once("](") else { continue };
        let Some((folder, file)) = rest.trim_end_matches(')').split_once('/') else { continue };
        let Some(name) = file.strip_suffix(".md").filter(|_| folder == chapter.short) else {
            continue;
        };
        let title = title.trim_start_matches([' ', '-', '[']).to_string();
        // A page that types nothing leaves the crate as it was.
        let compiles = pages.last().is_none_or(|page| page.compiles);
        let (name, listings) = (name.to_string(), Vec::new());
        let mut page = Page { name, title, listings, compiles };
        for include in
            read(&book.join(folder).join(file))?.split("{{#include ../generated/").skip(1)
        {
            let target = include.split("}}").next().unwrap_or_default();
            let typed = target.strip_prefix(&chapter.short);
            if typed.is_some_and(|rest| rest.starts_with(['/', '-'])) {
                let path = book.join("generated").join(target);
                let listing = listing(&read(&path)?, &chapter.name);
                page.listings.push(listing.ok_or_else(|| problem_at(&path, "is no listing"))?);
                page.compiles = false;
            }
            page.compiles |= target.ends_with("checkpoint.md");
        }
        pages.push(page);
    }
    Ok(pages)
}

/// A listing as the press writes it.
fn listing(html: &str, chapter: &str) -> Option<Listing> {
    let (head, rows) = html.split_once("<span class=\"rows\">")?;
    let (_, file) = head.split_once(&format!("title=\"chapters/{chapter}/"))?;
    let (file, what) = file.split_once(", the whole file\"")?;
    let what = what.split_once("<span>")?.1.replace("<code>", "`").replace("</code>", "`");
    let what = text(what.split("</span>").next()?);
    let mut pieces = vec![Vec::new()];
    for row in rows.split("</span></pre>").next()?.lines() {
        let ends = ["</ins>", "</del>", "</span>"];
        let row = ends.iter().find_map(|end| row.strip_prefix(end)).unwrap_or(row);
        let row = row.split("</button>").last()?;
        if row.starts_with("<span class=\"gap\">") {
            pieces.push(Vec::new());
        } else if !row.is_empty() {
            let code = text(row);
            pieces.last_mut()?.push(match row.get(..4)? {
                "<ins" => Row::Comes(code),
                "<del" => Row::Goes(code),
                _ => Row::Stays(code),
            });
        }
    }
    Some(Listing { file: file.into(), what, pieces })
}

/// What a browser shows of it.
fn text(html: &str) -> String {
    let pieces = html.split('<').enumerate();
    let text: String =
        pieces
            .map(|(at, piece)| {
                if at == 0 { piece } else { piece.split_once('>').map_or("", |(_, text)| text) }
            })
            .collect();
    let signs =
        [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#123;", "{"), ("&amp;", "&")];
    signs.iter().fold(text, |text, (from, to)| text.replace(from, to))
}

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
