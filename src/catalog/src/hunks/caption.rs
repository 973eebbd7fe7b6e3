//! The line above a listing: what a reader does with it, and where. Code stands between backticks.

use std::collections::BTreeSet;

use crate::hunks::apply_hunks::{Line, moves};
use crate::hunks::diff::size;
use crate::hunks::file_diff::{FileDiff, Segment};
use crate::hunks::item::IMPORTS;

/// The items that these hunks change; blank lines beside them have no name.
fn items<'a>(file: &'a FileDiff, hunks: &BTreeSet<String>) -> Vec<(usize, &'a Segment)> {
    let blank = |lines: &[String]| lines.concat().trim().is_empty();
    let named = |segment: &Segment| {
        segment.hunk.as_ref().is_some_and(|hunk| hunks.contains(hunk))
            && !segment.only_spacing()
            && !(blank(&segment.old) && blank(&segment.new))
    };
    file.segments.iter().enumerate().filter(|(_, segment)| named(segment)).collect()
}

/// The shown items by name: `impl Gguf`: `fn open`, `fn keys`.
pub fn parts(file: &FileDiff, hunks: &BTreeSet<String>) -> String {
    if file.hunks().is_subset(hunks) {
        return "the whole file".into();
    }
    titles(&items(file, hunks), None)
}

/// `holder`: what has been named already, so that its items need not name it.
fn titles(shown: &[(usize, &Segment)], holder: Option<&String>) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut inside = holder;
    for (_, segment) in shown {
        let holder = segment.within.as_ref();
        let known =
            holder.is_none_or(|holder| shown.iter().any(|(_, other)| other.title == *holder));
        let name = match holder {
            Some(holder) if !known && inside != Some(holder) => {
                format!("{}, {}", code(holder), code(&segment.title))
            }
            Some(_) if known => continue,
            _ => code(&segment.title),
        };
        inside = holder;
        if !names.contains(&name) {
            names.push(name);
        }
    }
    if names.len() > 4 {
        let more = names.len() - 3;
        names.truncate(3);
        names.push(format!("{more} more"));
    }
    names.join(", ")
}

fn code(title: &str) -> String {
    let plain = title.starts_with("the ");
    if plain { title.into() } else { format!("`{title}`") }
}

/// What a reader does with the listing, and where: with what is there, then each place where something new goes.
pub fn what_happens(
    file: &FileDiff,
    hunks: &BTreeSet<String>,
    lines: &[Line],
    seen: &BTreeSet<String>,
) -> String {
    let here = items(file, hunks);
    if file.hunks().is_subset(hunks) {
        if !file.is_there {
            return "the file goes".into();
        }
        if !file.was_there {
            return "new file".into();
        }
    }
    if !file.was_there && file.hunks().is_disjoint(seen) {
        return format!("new file, begins with {}", titles(&here, None));
    }

    let is_there = |s: &Segment| !s.lines(s.changes_with(seen)).is_empty();
    let moved: Vec<usize> = moves(file).into_iter().flat_map(|(a, b)| [a, b]).collect();
    let more_imports = file.segments.iter().any(|s| s.title == IMPORTS && is_there(s));
    let whole = |at: usize, segment: &Segment| {
        !(moved.contains(&at) || segment.title == IMPORTS && more_imports)
    };
    let (new, old): (Vec<_>, Vec<_>) =
        here.into_iter().partition(|(at, s)| s.old.is_empty() && whole(*at, s));
    let (gone, changed): (Vec<_>, Vec<_>) =
        old.into_iter().partition(|(at, s)| s.new.is_empty() && whole(*at, s));

    let mut said = Vec::new();
    if !changed.is_empty() {
        let imports = changed.iter().any(|(_, segment)| segment.title == IMPORTS);
        let within = |line: &&Line| match file.segments[line.segment].title == IMPORTS {
            true => imports,
            false => changed.iter().any(|(at, _)| *at == line.segment) && !line.separates(file),
        };
        let lines: Vec<Line> = lines.iter().filter(within).cloned().collect();
        said.push(format!("in {}, {}", titles(&changed, None), replaces(size(&lines))));
    }
    let mut holder = changed.last().and_then(|(_, segment)| segment.within.as_ref());
    for (count, group) in groups(file, &new, hunks, seen).iter().enumerate() {
        let first = group[0].1;
        let known = group.iter().any(|(_, s)| Some(&s.title) == first.within.as_ref());
        let inside = first.within.as_ref().filter(|_| !known);
        let names = match alike(file, first, seen) {
            0 => titles(group, inside),
            1 => format!("a second {}", titles(group, inside)),
            _ => format!("another {}", titles(group, inside)),
        };
        let prefix = match inside {
            Some(inside) if holder != Some(inside) => format!("new in {}: ", code(inside)),
            _ if count == 0 || holder != inside => "new: ".into(),
            _ => String::new(),
        };
        holder = inside;
        said.push(format!("{prefix}{names}{}", after(file, group[0], seen)));
    }
    if !gone.is_empty() {
        said.push(format!("removes {}", titles(&gone, None)));
    }
    said.join("; ")
}

fn replaces((added, removed): (usize, usize)) -> String {
    let lines =
        |count: usize| if count == 1 { "1 line".to_string() } else { format!("{count} lines") };
    match (added, removed) {
        (0, 0) => "moves".into(),
        (added, 0) => format!("adds {}", lines(added)),
        (0, removed) => format!("removes {}", lines(removed)),
        (added, removed) if added == removed => format!("replaces {}", lines(removed)),
        (added, removed) => format!("replaces {} with {added}", lines(removed)),
    }
}

/// New items that stand together, with nothing between them that the reader has.
fn groups<'a>(
    file: &'a FileDiff,
    new: &[(usize, &'a Segment)],
    hunks: &BTreeSet<String>,
    seen: &BTreeSet<String>,
) -> Vec<Vec<(usize, &'a Segment)>> {
    let apart = |a: usize, b: usize| {
        file.segments[a + 1..b].iter().any(|segment| {
            let is_new = segment.changes_with(seen) || segment.changes_with(hunks);
            !segment.lines(is_new).concat().trim().is_empty()
        })
    };
    new.chunk_by(|a, b| !apart(a.0, b.0)).map(<[_]>::to_vec).collect()
}

/// How many the reader has that are called the same: a file may hold a second `impl` of one name.
fn alike(file: &FileDiff, item: &Segment, seen: &BTreeSet<String>) -> usize {
    let same = |s: &&Segment| {
        s.title == item.title
            && s.title != IMPORTS
            && s.within == item.within
            && s.key != item.key
            && !s.lines(s.changes_with(seen)).is_empty()
    };
    let keys: BTreeSet<&String> =
        file.segments.iter().filter(same).map(|segment| &segment.key).collect();
    keys.len()
}

/// Where a new item goes: after the nearest one above it that the reader already has.
fn after(file: &FileDiff, (at, first): (usize, &Segment), seen: &BTreeSet<String>) -> String {
    let there = |s: &&Segment| {
        let is_new = !s.old.is_empty() || s.changes_with(seen);
        is_new && !s.new.concat().trim().is_empty()
    };
    match file.segments[..at].iter().rfind(there) {
        None => ", at the top".into(),
        Some(above) if Some(&above.title) == first.within.as_ref() => ", at its top".into(),
        Some(above) if above.title == first.title && alike(file, first, seen) == 1 => {
            ", after the first".into()
        }
        Some(above) => format!(", after {}", code(&above.title)),
    }
}
