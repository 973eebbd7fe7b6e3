//! What a chapter changes in the one before it, item by item, and how to apply any part of it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::align::{Step, align};
use crate::house::Chapter;
use crate::item::{IMPORTS, Item, items_of};
use crate::transition::{Line, Mark, transition};

/// A stretch of a file that belongs to one item: as it was, and as it is.
#[derive(Clone, Debug)]
pub struct Segment {
    pub key: String,
    pub title: String,
    pub within: Option<String>,
    /// The hunk that this stretch changes with; none when nothing changes.
    pub hunk: Option<String>,
    /// Other hunks that bring it too: the blank line above a block of imports comes with whichever is first.
    pub also: Vec<String>,
    /// One of many alike, most of them a line: an import, a module, a key of a table.
    pub listed: bool,
    pub old: Vec<String>,
    pub new: Vec<String>,
    /// Number of the first line that is not blank, in the file as it is (or was, if removed), from 1.
    pub line: usize,
}

#[derive(Clone, Debug)]
pub struct FileDiff {
    /// `src/attention.rs`
    pub path: String,
    pub was_there: bool,
    pub is_there: bool,
    pub segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
pub struct ChapterDiff {
    pub short: String,
    /// Folder relative to the repository.
    pub folder: String,
    pub package: String,
    pub files: Vec<FileDiff>,
}

/// All that changes in one item of one file. Named by where it is: `ch02/attention.rs/fn-attend`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    pub name: String,
    /// `chapters/ch02-kv-cache/src/attention.rs`
    pub file: String,
    pub line: usize,
    pub added: usize,
    pub removed: usize,
}

impl ChapterDiff {
    /// `before` is the chapter this one is a copy of; the first chapter stands on nothing.
    pub fn between(before: Option<&Chapter>, chapter: &Chapter) -> ChapterDiff {
        let old_files = before.map(|before| renamed(before, chapter)).unwrap_or_default();
        let paths: BTreeSet<&String> = old_files.keys().chain(chapter.files.keys()).collect();
        let files = paths
            .into_iter()
            .map(|path| {
                file_diff(&chapter.short, path, old_files.get(path), chapter.files.get(path))
            })
            .collect();
        ChapterDiff {
            short: chapter.short.clone(),
            folder: chapter.folder.clone(),
            package: chapter.package.clone(),
            files,
        }
    }

    /// In the order of the files, and within a file from top to bottom.
    pub fn hunks(&self) -> Vec<Hunk> {
        let mut hunks: Vec<Hunk> = Vec::new();
        for file in &self.files {
            for segment in &file.segments {
                let Some(name) = &segment.hunk else { continue };
                if hunks.iter().any(|hunk| hunk.name == *name) {
                    continue;
                }
                let alone = BTreeSet::from([name.clone()]);
                let (added, removed) = size(&transition(file, &BTreeSet::new(), &alone));
                hunks.push(Hunk {
                    name: name.clone(),
                    file: self.repository_path(&file.path),
                    line: segment.line,
                    added,
                    removed,
                });
            }
        }
        hunks
    }

    pub fn repository_path(&self, path: &str) -> String {
        if self.folder.is_empty() {
            path.to_string()
        } else {
            format!("{}/{path}", self.folder)
        }
    }

    /// The files with these hunks applied, to the byte.
    pub fn apply(&self, applied: &BTreeSet<String>) -> BTreeMap<String, String> {
        let mut files = BTreeMap::new();
        for file in &self.files {
            let text: String = file
                .segments
                .iter()
                .flat_map(|segment| segment.lines(segment.changes_with(applied)))
                .map(String::as_str)
                .collect();
            let begun = file.segments.iter().any(|segment| segment.changes_with(applied));
            let exists = if file.is_there { file.was_there || begun } else { !text.is_empty() };
            if exists {
                files.insert(file.path.clone(), text);
            }
        }
        files
    }

    /// Lines added and removed, all files together.
    pub fn size(&self) -> (usize, usize) {
        let nothing = BTreeSet::new();
        let sizes =
            self.files.iter().map(|file| size(&transition(file, &nothing, &file.hunks())));
        sizes.fold((0, 0), |(a, r), (added, removed)| (a + added, r + removed))
    }
}

impl FileDiff {
    /// The names of all that changes in this file.
    pub fn hunks(&self) -> BTreeSet<String> {
        self.segments.iter().filter_map(|segment| segment.hunk.clone()).collect()
    }

    /// Whether anything changes in it; a file that comes or goes empty changes too.
    pub fn changes(&self) -> bool {
        self.was_there != self.is_there || self.segments.iter().any(|s| s.hunk.is_some())
    }
}

impl Segment {
    /// Whether one of these hunks changes it.
    pub fn changes_with(&self, hunks: &BTreeSet<String>) -> bool {
        self.hunk.iter().chain(&self.also).any(|hunk| hunks.contains(hunk))
    }

    /// Its lines as they are, or as they were.
    pub fn lines(&self, new: bool) -> &[String] {
        if new { &self.new } else { &self.old }
    }

    /// Nothing but the blank line before it changes.
    pub fn only_spacing(&self) -> bool {
        self.hunk.is_some()
            && !self.old.is_empty()
            && !self.new.is_empty()
            && bare(&self.old) == bare(&self.new)
    }
}

/// Lines added and removed among these.
pub fn size(lines: &[Line]) -> (usize, usize) {
    let count = |mark| lines.iter().filter(|line| line.mark == mark).count();
    (count(Mark::Added), count(Mark::Removed))
}

/// The files of a chapter under the name of the one that copies it: the book mentions the renaming once, so it is in
/// no hunk. A package's description goes with its name.
pub fn renamed(before: &Chapter, after: &Chapter) -> BTreeMap<String, String> {
    let description = |chapter: &Chapter| {
        let manifest = chapter.files.get("Cargo.toml")?;
        manifest.lines().find(|line| line.starts_with("description = ")).map(str::to_string)
    };
    let mut files = BTreeMap::new();
    for (path, text) in &before.files {
        let mut text = text.clone();
        if path == "Cargo.toml"
            && let (Some(old), Some(new)) = (description(before), description(after))
        {
            text = text.replace(&old, &new);
        }
        let text = text
            .replace(&before.package, &after.package)
            .replace(&before.crate_name(), &after.crate_name());
        files.insert(path.clone(), text);
    }
    files
}

/// `ch02/attention.rs/fn-attend`: the folder `src` goes without saying.
pub fn hunk_name(short: &str, path: &str, key: &str) -> String {
    format!("{short}/{}/{key}", path.strip_prefix("src/").unwrap_or(path))
}

fn file_diff(short: &str, path: &str, old: Option<&String>, new: Option<&String>) -> FileDiff {
    let items =
        |text: Option<&String>| text.map(|text| items_of(path, text)).unwrap_or_default();
    let (old_items, new_items) = (items(old), items(new));
    let mut segments = Vec::new();
    let (mut old_line, mut new_line) = (1, 1);
    for step in align(&ids(&old_items, &new_items), &ids(&new_items, &old_items)) {
        let (item, before, after) = match step {
            Step::Both(i, j) => {
                (&new_items[j], old_items[i].lines.clone(), new_items[j].lines.clone())
            }
            Step::Old(i) => (&old_items[i], old_items[i].lines.clone(), Vec::new()),
            Step::New(j) => (&new_items[j], Vec::new(), new_items[j].lines.clone()),
        };
        let start = if after.is_empty() { old_line } else { new_line };
        let shown = if after.is_empty() { &before } else { &after };
        let line = start + shown.iter().take_while(|line| line.trim().is_empty()).count();
        old_line += before.len();
        new_line += after.len();
        let hunk = (before != after).then(|| hunk_name(short, path, &item.key));
        segments.push(Segment {
            key: item.key.clone(),
            title: item.title.clone(),
            within: item.within.clone(),
            hunk,
            also: Vec::new(),
            listed: is_listed(path, item),
            old: before,
            new: after,
            line,
        });
    }
    adopt_blank_lines(&mut segments);
    FileDiff {
        path: path.to_string(),
        was_there: old.is_some(),
        is_there: new.is_some(),
        segments: share_blank_lines(segments),
    }
}

/// Items are matched by key; the two ends of an `impl` share a key, so they are told apart by number. An import that
/// the other file has too is matched by its text: `use crate::a;` and `use crate::b;` have one key.
fn ids(items: &[Item], others: &[Item]) -> Vec<(String, usize)> {
    let import = |item: &Item| {
        (item.title == IMPORTS).then(|| bare(&item.lines)).filter(|text| !text.is_empty())
    };
    let there: BTreeSet<String> = others.iter().filter_map(import).collect();
    let mut seen = HashMap::<String, usize>::new();
    items
        .iter()
        .map(|item| {
            let text = import(item).filter(|text| there.contains(text));
            let id = text.unwrap_or_else(|| item.key.clone());
            let count = seen.entry(id.clone()).or_default();
            *count += 1;
            (id, *count)
        })
        .collect()
}

fn is_listed(path: &str, item: &Item) -> bool {
    let module = item.title.starts_with("mod ") && item.text().ends_with(";\n");
    item.title == IMPORTS || module || path.ends_with(".toml")
}

/// The text without the blank lines before it.
fn bare(lines: &[String]) -> String {
    lines.concat().trim_start_matches('\n').to_string()
}

/// An item that only gains or loses the blank line before it changes with the neighbour that caused it.
fn adopt_blank_lines(segments: &mut [Segment]) {
    let only_spacing: Vec<bool> = segments.iter().map(Segment::only_spacing).collect();
    for at in (0..segments.len()).filter(|&at| only_spacing[at]) {
        let real = |other: &usize| segments[*other].hunk.is_some() && !only_spacing[*other];
        let neighbour =
            (0..at).rev().find(real).or_else(|| (at + 1..segments.len()).find(real));
        if let Some(neighbour) = neighbour {
            segments[at].hunk = segments[neighbour].hunk.clone();
        }
    }
}

/// The blank line above a new block of imports or modules belongs to the first of them, but the reader may type another
/// one first: then it comes with that one.
fn share_blank_lines(segments: Vec<Segment>) -> Vec<Segment> {
    let blanks = |segment: &Segment| {
        segment.new.iter().take_while(|line| line.trim().is_empty()).count()
    };
    let fresh = |segment: &Segment| segment.listed && segment.old.is_empty();
    let mut out = Vec::new();
    for (at, segment) in segments.iter().enumerate() {
        let rest: Vec<&Segment> =
            segments[at + 1..].iter().take_while(|other| blanks(other) == 0).collect();
        let mut segment = segment.clone();
        let count = blanks(&segment);
        let block = !rest.is_empty() && rest.iter().all(|other| fresh(other));
        if count > 0 && fresh(&segment) && block {
            let lines = segment.new.drain(..count).collect();
            let also = rest.iter().filter_map(|other| other.hunk.clone()).collect();
            out.push(Segment { also, new: lines, ..segment.clone() });
        }
        out.push(segment);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chapter(package: &str, files: &[(&str, &str)]) -> Chapter {
        Chapter {
            short: package[..4].to_string(),
            package: package.into(),
            folder: format!("chapters/{package}"),
            files: files
                .iter()
                .map(|(path, text)| (path.to_string(), text.to_string()))
                .collect(),
            ..Chapter::default()
        }
    }

    const OLD: &str = "use a::b;\n\nfn one() {\n    1\n}\n\nimpl X {\n    fn first() {}\n}\n\nfn moved() {}\n\nfn gone() {}\n";
    const NEW: &str = "use a::b;\nuse c::d;\n\nfn moved() {}\n\nfn one() {\n    2\n}\n\nimpl X {\n    fn zeroth() {}\n\n    fn first() {}\n}\n";

    fn pair() -> (Chapter, Chapter, ChapterDiff) {
        let old = chapter(
            "ch01-old",
            &[
                ("src/a.rs", OLD),
                ("src/gone.rs", "fn g() {}\n"),
                ("src/same.rs", "use ch01_old::x;\n"),
            ],
        );
        let new = chapter(
            "ch02-new",
            &[
                ("src/a.rs", NEW),
                ("src/new.rs", "fn n() {}\n\nfn m() {}\n"),
                ("src/same.rs", "use ch02_new::x;\n"),
            ],
        );
        let diff = ChapterDiff::between(Some(&old), &new);
        (old, new, diff)
    }

    #[test]
    fn hunks_are_named_by_file_and_item() {
        let (_, _, diff) = pair();
        let names: BTreeSet<String> = diff.hunks().into_iter().map(|hunk| hunk.name).collect();
        let expected = [
            "ch02/a.rs/use/c",
            "ch02/a.rs/fn-one",
            "ch02/a.rs/impl-X/fn-zeroth",
            "ch02/a.rs/fn-moved",
            "ch02/a.rs/fn-gone",
            "ch02/gone.rs/fn-g",
            "ch02/new.rs/fn-n",
            "ch02/new.rs/fn-m",
        ];
        assert_eq!(names, expected.map(String::from).into());
    }

    #[test]
    fn no_hunk_gives_the_old_and_all_hunks_give_the_new() {
        let (old, new, diff) = pair();
        assert_eq!(diff.apply(&BTreeSet::new()), renamed(&old, &new));
        let all = diff.hunks().into_iter().map(|hunk| hunk.name).collect();
        assert_eq!(diff.apply(&all), new.files);
    }

    #[test]
    fn every_subset_changes_only_its_own_items() {
        let (_, _, diff) = pair();
        let one = diff.apply(&["ch02/a.rs/fn-one".to_string()].into());
        assert_eq!(one["src/a.rs"], OLD.replace("    1\n", "    2\n"));
        let moved = diff.apply(&["ch02/a.rs/fn-moved".to_string()].into());
        assert_eq!(moved["src/a.rs"].matches("fn moved").count(), 1);
        let half = diff.apply(&["ch02/new.rs/fn-m".to_string()].into());
        assert_eq!(half["src/new.rs"], "\nfn m() {}\n");
        let gone = diff.apply(&["ch02/gone.rs/fn-g".to_string()].into());
        assert!(!gone.contains_key("src/gone.rs"));
    }

    #[test]
    fn a_blank_line_goes_with_the_method_that_pushes_it_in() {
        let (_, _, diff) = pair();
        let state = diff.apply(&["ch02/a.rs/impl-X/fn-zeroth".to_string()].into());
        assert!(
            state["src/a.rs"].contains("    fn zeroth() {}\n\n    fn first() {}\n"),
            "{}",
            state["src/a.rs"]
        );
    }

    #[test]
    fn the_size_counts_added_and_removed_lines() {
        let (_, _, diff) = pair();
        let (added, removed) = diff.size();
        assert!(added > removed && removed >= 4, "{added} {removed}");
    }
}
