//! What changes in one file, item by item: the items of both, side by side.

use std::collections::{BTreeSet, HashMap};

use crate::hunks::align::{Step, align};
use crate::hunks::item::{IMPORTS, Item, lines_of};
use crate::hunks::items::items_of;

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

/// `ch02/attention.rs/fn-attend`: the folder `src` goes without saying.
pub fn hunk_name(short: &str, path: &str, key: &str) -> String {
    format!("{short}/{}/{key}", path.strip_prefix("src/").unwrap_or(path))
}

pub fn file_diff(
    short: &str,
    path: &str,
    old: Option<&String>,
    new: Option<&String>,
) -> FileDiff {
    if old == new {
        return unchanged(path, new);
    }
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

/// A file that stays as it is needs no cutting: nobody asks for its parts.
fn unchanged(path: &str, text: Option<&String>) -> FileDiff {
    let lines = text.map(|text| lines_of(text)).unwrap_or_default();
    let whole = Segment {
        key: "all".into(),
        title: "the file".into(),
        within: None,
        hunk: None,
        also: Vec::new(),
        listed: false,
        old: lines.clone(),
        new: lines,
        line: 1,
    };
    let there = text.is_some();
    FileDiff { path: path.into(), was_there: there, is_there: there, segments: vec![whole] }
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
