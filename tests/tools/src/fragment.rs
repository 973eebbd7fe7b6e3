//! A listing with its heading, as the book includes it.

use std::collections::BTreeSet;

use crate::book::way;
use crate::diff::{ChapterDiff, FileDiff, Segment};
use crate::highlight::escape;
use crate::item::slug;
use crate::listing::{Mark, Row, counts, plain, rows, to_html};
use crate::story::short_path;

/// What a fragment needs to know of its place in the book.
pub struct Place<'a> {
    /// The page it is on, relative to `book/src`.
    pub page: &'a str,
    /// Hunks that the reader has already seen.
    pub seen: &'a BTreeSet<String>,
}

/// A part of a chapter's diff.
pub fn diff_fragment(
    diff: &ChapterDiff,
    file: &FileDiff,
    target: &str,
    hunks: &BTreeSet<String>,
    place: &Place,
) -> String {
    let rows = rows(file, hunks);
    let marks = diff.short != "ground";
    let what = if marks { what_happens(file, hunks, &rows, place) } else { parts(file, hunks) };
    let head = heading(diff, &file.path, Some(place.page), &what);
    figure(target, &head, &rows, marks)
}

/// A part of a file as it stands, shown again; `page` is where it is shown, if the whole file can be linked to.
pub fn again_fragment(
    diff: &ChapterDiff,
    file: &FileDiff,
    target: &str,
    hunks: &BTreeSet<String>,
    page: Option<&str>,
) -> String {
    let what = format!("{}, as it stands", parts(file, hunks));
    let head = heading(diff, &file.path, page, &what);
    figure(&format!("again/{target}"), &head, &rows(file, hunks), false)
}

fn heading(diff: &ChapterDiff, path: &str, page: Option<&str>, what: &str) -> String {
    let file = escape(&diff.repository_path(path));
    let file = match page {
        Some(page) => {
            let whole = format!("generated/whole/{}.html#{}", diff.short, file_anchor(path));
            format!("<a href=\"{}\" title=\"The whole file\">{file}</a>", way(page, &whole))
        }
        None => format!("<code>{file}</code>"),
    };
    format!("{file} <span>{what}</span>")
}

fn figure(target: &str, heading: &str, rows: &[Row], marks: bool) -> String {
    let all_new =
        rows.iter().all(|row| matches!(row, Row::Gap | Row::Line { mark: Mark::Added, .. }));
    let class = if marks && all_new { "code all-new" } else { "code" };
    let (id, listing) = (slug(target), to_html(rows, marks));
    format!(
        "<figure class=\"{class}\" id=\"{id}\">\n<figcaption><p>{heading}</p></figcaption>\n{listing}\n</figure>\n"
    )
}

pub fn file_anchor(path: &str) -> String {
    slug(path).to_lowercase()
}

/// A chapter's files, whole, as a page of their own.
pub fn whole_page(title: &str, folder: &str, files: &[(&String, &String)]) -> String {
    let mut page = format!("# {title}\n\nEvery file as it stands at the end of the chapter.\n");
    for (path, text) in files {
        let full =
            if folder.is_empty() { path.to_string() } else { format!("{folder}/{path}") };
        let listing = to_html(&plain(path, text), false);
        page.push_str(&format!("\n## {} {{#{}}}\n\n", short_path(path), file_anchor(path)));
        page.push_str(&format!(
            "<figure class=\"code\">\n<figcaption><p>{}</p></figcaption>\n{listing}\n</figure>\n",
            escape(&full)
        ));
    }
    page
}

fn segments<'a>(file: &'a FileDiff, hunks: &BTreeSet<String>) -> Vec<&'a Segment> {
    file.segments
        .iter()
        .filter(|segment| segment.hunk.as_ref().is_some_and(|hunk| hunks.contains(hunk)))
        .collect()
}

/// The shown items by name: `impl Gguf`: `fn open`, `fn keys`.
fn parts(file: &FileDiff, hunks: &BTreeSet<String>) -> String {
    let shown = segments(file, hunks);
    if shown.len() == file.segments.len() {
        return "the whole file".into();
    }
    titles(&shown)
}

fn titles(shown: &[&Segment]) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut inside = None;
    for segment in shown {
        let holder = segment.within.as_ref();
        let known =
            holder.is_none_or(|holder| shown.iter().any(|other| other.title == *holder));
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
    if plain { escape(title) } else { format!("<code>{}</code>", escape(title)) }
}

fn what_happens(
    file: &FileDiff,
    hunks: &BTreeSet<String>,
    shown: &[Row],
    place: &Place,
) -> String {
    let here = segments(file, hunks);
    let begun = file
        .segments
        .iter()
        .any(|s| s.hunk.as_ref().is_some_and(|hunk| place.seen.contains(hunk)));
    let (added, removed) = counts(shown);
    if !file.is_there && here.len() == file.segments.len() {
        return "the file goes".into();
    }
    if !file.was_there && here.len() == file.segments.len() {
        return "new file".into();
    }
    if !file.was_there && !begun {
        return format!("new file, begins with {}", titles(&here));
    }
    let all_new = here.iter().all(|segment| segment.old.is_empty());
    if all_new && removed == 0 && added > 0 {
        return format!("new: {}{}", titles(&here), after(file, here[0], place));
    }
    if here.iter().all(|segment| segment.new.is_empty()) {
        return format!("removes {}", titles(&here));
    }
    let lines =
        |count: usize| if count == 1 { "1 line".to_string() } else { format!("{count} lines") };
    let change = match (added, removed) {
        (0, 0) => "moves".into(),
        (added, 0) => format!("adds {}", lines(added)),
        (0, removed) => format!("removes {}", lines(removed)),
        (added, removed) if added == removed => format!("replaces {}", lines(removed)),
        (added, removed) => format!("replaces {} with {added}", lines(removed)),
    };
    format!("in {}, {change}", titles(&here))
}

/// Where a new item goes: after the nearest one above it that the reader already has.
fn after(file: &FileDiff, first: &Segment, place: &Place) -> String {
    let at = file.segments.iter().position(|segment| std::ptr::eq(segment, first)).unwrap_or(0);
    let there = |s: &&Segment| {
        !s.new.is_empty()
            && s.hunk.as_ref().is_none_or(|hunk| !s.old.is_empty() || place.seen.contains(hunk))
    };
    match file.segments[..at].iter().rfind(there) {
        None => ", at the top".into(),
        Some(above) if Some(&above.title) == first.within.as_ref() => ", at its top".into(),
        Some(above) => format!(", after {}", code(&above.title)),
    }
}
