//! A listing with its heading, as the book includes it.

use std::collections::BTreeSet;

use crate::apply_hunks::{Mark, as_shown};
use crate::book::way;
use crate::caption::{parts, what_happens};
use crate::diff::ChapterDiff;
use crate::file_diff::FileDiff;
use crate::highlight::escape;
use crate::item::slug;
use crate::listing::{rows, to_html};
use crate::row::Row;
use crate::select::short_path;

/// What a fragment needs to know of its place in the book.
pub struct Place<'a> {
    /// The page it is on, relative to `book/src`.
    pub page: &'a str,
    /// The chapter whose whole-file page prints the file.
    pub printed: &'a str,
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
    let marks = diff.short != "ground";
    let head = |what: &str| heading(diff, &file.path, Some((place.page, place.printed)), what);
    if !marks {
        return figure(target, &head(&parts(file, hunks)), &as_it_stands(file, hunks), marks);
    }
    let lines = as_shown(file, place.seen, hunks);
    let what = what_happens(file, hunks, &lines, place.seen);
    figure(target, &head(&what), &rows(file, &lines, hunks, true), marks)
}

/// A part of a file as it stands, shown again; `place` is the page where it is shown and the chapter whose page prints
/// the file whole, if one does.
pub fn again_fragment(
    diff: &ChapterDiff,
    file: &FileDiff,
    target: &str,
    hunks: &BTreeSet<String>,
    place: Option<(&str, &str)>,
) -> String {
    let what = format!("{}, as it stands", parts(file, hunks));
    let head = heading(diff, &file.path, place, &what);
    figure(&format!("again/{target}"), &head, &as_it_stands(file, hunks), false)
}

/// The rows where the reader is not asked to type: all else in the file is there already.
fn as_it_stands(file: &FileDiff, hunks: &BTreeSet<String>) -> Vec<Row> {
    let others = file.hunks().difference(hunks).cloned().collect();
    rows(file, &as_shown(file, &others, hunks), hunks, false)
}

fn heading(diff: &ChapterDiff, path: &str, place: Option<(&str, &str)>, what: &str) -> String {
    let full = escape(&diff.repository_path(path));
    let file = match place {
        Some((page, printed)) => {
            let whole = format!("generated/whole/{printed}.html#{}", file_anchor(path));
            let (whole, name) = (way(page, &whole), escape(&name(diff, path, page)));
            format!("<a href=\"{whole}\" title=\"{full}, the whole file\">{name}</a>")
        }
        None => format!("<code>{full}</code>"),
    };
    format!("{file} <span>{}</span>", marked(what))
}

/// What stands between backticks is code.
fn marked(what: &str) -> String {
    let code = |(at, part): (usize, &str)| match at % 2 {
        0 => escape(part),
        _ => format!("<code>{}</code>", escape(part)),
    };
    what.split('`').enumerate().map(code).collect()
}

/// A file's name inside its chapter; on the page of another one, with the chapter's.
fn name(diff: &ChapterDiff, path: &str, page: &str) -> String {
    let short = short_path(path);
    let here = diff.short == "ground" || page.starts_with(&format!("{}/", diff.short));
    let chapter = diff.folder.rsplit('/').next().filter(|folder| !here && !folder.is_empty());
    chapter.map_or(short.to_string(), |chapter| format!("{chapter}/{short}"))
}

fn figure(target: &str, heading: &str, rows: &[Row], marks: bool) -> String {
    // The lines beside new ones, which show the place, make no change of them.
    let new_or_beside = |row: &Row| match row {
        Row::Gap => true,
        Row::Line { mark: Mark::Added, .. } => true,
        Row::Line { mark, beside, .. } => *mark == Mark::Same && *beside,
    };
    let all_new = rows.iter().all(new_or_beside);
    let class = if marks && all_new { "code all-new" } else { "code" };
    let (id, listing) = (slug(target), to_html(rows, marks));
    format!(
        "<figure class=\"{class}\" id=\"{id}\">\n<figcaption><p>{heading}</p></figcaption>\n{listing}\n</figure>\n"
    )
}

pub fn file_anchor(path: &str) -> String {
    slug(path).to_lowercase()
}

/// A file that is as an earlier chapter left it, and that chapter.
pub struct Unchanged<'a> {
    pub path: &'a str,
    pub chapter: &'a str,
    pub package: &'a str,
}

/// The files that a chapter added or changed, whole, as a page of their own; the others are on the page of the chapter
/// that last changed them.
pub fn whole_page(
    title: &str,
    folder: &str,
    files: &[(&String, &String)],
    unchanged: &[Unchanged],
) -> String {
    let what = what_is_whole(folder, files.len(), unchanged);
    let mut page = format!("# {title}\n\n{what}\n");
    let mut chapters: Vec<&Unchanged> = unchanged.iter().collect();
    chapters.sort_by_key(|file| file.chapter);
    for files in chapters.chunk_by(|a, b| a.chapter == b.chapter) {
        let before = files[0];
        let links = files.iter().map(|file| {
            let (path, anchor) = (short_path(file.path), file_anchor(file.path));
            format!("[{path}]({}.md#{anchor})", file.chapter)
        });
        let links: Vec<String> = links.collect();
        page.push_str(&format!("\n- `{}`: {}\n", before.package, links.join(", ")));
    }
    for (path, text) in files {
        let kind = if path.ends_with(".rs") { "rust" } else { "toml" };
        let (name, anchor) = (short_path(path), file_anchor(path));
        page.push_str(&format!(
            "\n## {name} {{#{anchor}}}\n\n```{kind}\n{}\n```\n",
            text.trim_end_matches('\n')
        ));
    }
    page
}

fn what_is_whole(folder: &str, files: usize, unchanged: &[Unchanged]) -> String {
    match (files, unchanged) {
        (_, []) => format!("Every file of `{folder}` as it stands at the end of the chapter."),
        (0, _) => "This chapter changes no file. Each is as an earlier one left it, but for the crate's name:".into(),
        _ => format!(
            "Every file of `{folder}` that this chapter adds or changes, as it stands at the chapter's end. The others \
             are as an earlier chapter left them, but for the crate's name:"
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::repository::Chapter;
    use crate::select::select;

    /// The listings of these parts of a change, one after the other: what the line above says, then the rows.
    fn listings(old: &str, new: &str, parts: &[&str]) -> Vec<Vec<String>> {
        let chapter = |package: &str, text: &str| Chapter {
            short: package[..4].into(),
            package: package.into(),
            folder: String::new(),
            files: [("src/a.rs".to_string(), text.to_string())].into(),
            ..Chapter::default()
        };
        let before = (!old.is_empty()).then(|| chapter("ch00-old", old));
        let diff = ChapterDiff::between(before.as_ref(), &chapter("ch01-new", new));
        let mut seen = BTreeSet::new();
        parts
            .iter()
            .map(|part| {
                let (file, hunks) = select(&diff, &format!("ch01/a.rs/{part}")).expect(part);
                let place = Place { page: "ch01/page.md", printed: "ch01", seen: &seen };
                let html = diff_fragment(&diff, file, part, &hunks, &place);
                seen.extend(hunks);
                read(&html)
            })
            .collect()
    }

    fn read(html: &str) -> Vec<String> {
        let (_, what) = html.split_once("<span>").expect("a heading");
        let (what, rows) = what.split_once("</span></p></figcaption>").expect("a listing");
        // The style shows a row's sign by what kind of element it is.
        let text = |piece: &str| match piece.rsplit_once('>') {
            Some((tag, text)) if tag.starts_with("ins") => format!("+{text}"),
            Some((tag, text)) if tag.starts_with("del") => format!("-{text}"),
            Some(("span" | "span class=\"beside\"", text)) => format!(" {text}"),
            Some((_, text)) => text.to_string(),
            None => piece.to_string(),
        };
        let rows: String = rows.split('<').map(text).collect();
        let rows = rows.trim_matches('\n').replace('\u{22ef}', "...");
        let what = what.replace("<code>", "`").replace("</code>", "`");
        std::iter::once(what).chain(rows.lines().map(String::from)).collect()
    }

    #[test]
    fn a_blank_line_that_stays_is_not_removed() {
        let old = "use a::b;\n\nuse crate::matmul::dot;\nuse crate::norm::norm;\n\nfn f() {}\n";
        let first =
            old.replace("use crate::matmul", "use crate::cache::Lent;\nuse crate::matmul");
        assert_eq!(
            listings(old, &first, &["use/crate-cache"])[0],
            [
                "in the imports, adds 1 line",
                " use a::b;",
                " ",
                "+use crate::cache::Lent;",
                " use crate::matmul::dot;",
            ]
        );
        let block = "use crate::session::Session;\n";
        let block = old.replace("use crate::matmul::dot;\nuse crate::norm::norm;\n", block);
        assert_eq!(
            listings(old, &block, &["use"])[0],
            [
                "in the imports, replaces 2 lines with 1",
                " use a::b;",
                " ",
                "-use crate::matmul::dot;",
                "-use crate::norm::norm;",
                "+use crate::session::Session;",
            ]
        );
        let moved = old.replace("use a::b;\n\n", "use a::b;\nuse a::c::d;\n\n");
        let moved = moved.replace("use crate::matmul::dot;\n", "");
        assert_eq!(
            listings(old, &moved, &["use"])[0],
            [
                "in the imports, replaces 1 line",
                " use a::b;",
                "+use a::c::d;",
                " ",
                "-use crate::matmul::dot;",
                " use crate::norm::norm;",
            ]
        );
    }

    #[test]
    fn imports_of_one_path_are_told_apart_by_their_text() {
        let old = "use crate::metrics::Metrics;\nuse crate::profile;\n";
        assert_eq!(
            listings(old, &format!("use crate::Args;\n{old}"), &["use"])[0],
            [
                "in the imports, adds 1 line",
                "+use crate::Args;",
                " use crate::metrics::Metrics;"
            ]
        );
    }

    #[test]
    fn one_line_among_many_is_shown_beside_its_neighbours() {
        let old = "//! Old.\n\nmod a;\nmod c;\nmod d;\nmod dd;\nmod e;\nmod g;\n\nfn f() {}\n";
        let new = old.replace("Old", "New").replace("mod c", "mod b;\nmod c");
        let new = new.replace("mod g;\n", "mod f;\nmod g;\n\nuse a::A;\n");
        assert_eq!(
            listings(old, &new, &["head+mod-b+mod-f", "use"]),
            [
                vec![
                    "in the head of the file, replaces 1 line; \
                     new: `mod b`, after `mod a`; `mod f`, after `mod e`",
                    "-//! Old.",
                    "+//! New.",
                    " ",
                    " mod a;",
                    "+mod b;",
                    " mod c;",
                    "...",
                    " mod e;",
                    "+mod f;",
                    " mod g;",
                ],
                vec!["new: the imports, after `mod g`", " mod g;", "+", "+use a::A;"],
            ]
        );
    }

    #[test]
    fn a_listing_knows_what_has_been_typed_so_far() {
        let new = "//! It.\n\nmod a;\nmod b;\n\nuse a::A;\n\nuse crate::b;\nuse crate::c;\n";
        let parts = ["head", "mod-b", "mod-a", "use/a+crate", "use/crate-2"];
        let shown = listings("", new, &parts);
        assert_eq!(shown[0], ["new file, begins with the head of the file", "+//! It."]);
        // The blank line comes with the one that is typed first.
        assert_eq!(
            shown[1],
            ["new: `mod b`, after the head of the file", " //! It.", "+", "+mod b;"]
        );
        assert_eq!(
            shown[2],
            ["new: `mod a`, after the head of the file", " //! It.", " ", "+mod a;", " mod b;"]
        );
        assert_eq!(
            shown[3],
            [
                "new: the imports, after `mod b`",
                " mod b;",
                "+",
                "+use a::A;",
                "+",
                "+use crate::b;"
            ]
        );
        assert_eq!(
            shown[4],
            ["in the imports, adds 1 line", " use crate::b;", "+use crate::c;"]
        );
    }

    #[test]
    fn a_method_is_placed_in_its_impl() {
        let new = "struct X;\n\nimpl X {\n    fn a() {}\n\n    fn b() {}\n\n    fn c() {}\n}\n";
        let parts = ["struct-X", "impl-X/head+fn-a+fn-c", "impl-X/fn-b"];
        let shown = listings("", new, &parts);
        // Nothing is left out: what a later listing brings is not there yet.
        assert_eq!(
            shown[1],
            [
                "new: `impl X`, after `struct X`",
                "+impl X {",
                "+    fn a() {}",
                "+",
                "+    fn c() {}",
                "+}"
            ]
        );
        assert_eq!(shown[2], ["new in `impl X`: `fn b`, after `fn a`", "+    fn b() {}"]);
    }

    #[test]
    fn a_new_item_above_a_changed_one_brings_the_blank_line_between_them() {
        let old = "fn a() {}\n\nfn c() {}\n";
        let new = "fn a() {}\n\nfn b() {}\n\nfn c(x: u8) {}\n";
        assert_eq!(
            listings(old, new, &["fn-b+fn-c"])[0],
            [
                "in `fn c`, replaces 1 line; new: `fn b`, after `fn a`",
                "+fn b() {}",
                "+",
                "-fn c() {}",
                "+fn c(x: u8) {}",
            ]
        );
    }

    #[test]
    fn a_second_impl_is_called_so() {
        let old = "impl X {\n    fn a() {}\n}\n";
        let new = format!("{old}\nimpl X {{\n    fn b() {{}}\n}}\n");
        assert_eq!(
            listings(old, &new, &["impl-X-2"])[0][0],
            "new: a second `impl X`, after the first"
        );
    }

    #[test]
    fn what_changes_comes_and_goes_is_told_one_by_one() {
        let old = "fn a() {}\n\nfn b() {}\n\nfn c() {}\n";
        let new = "use x::y;\n\nfn a() {\n    y();\n}\n\nfn c() {}\n\nfn d() {}\n";
        assert_eq!(
            listings(old, new, &["use+fn-a+fn-b+fn-d"])[0],
            [
                "in `fn a`, replaces 1 line with 3; new: the imports, at the top; \
                 `fn d`, after `fn c`; removes `fn b`",
                "+use x::y;",
                "+",
                "-fn a() {}",
                "+fn a() {",
                "+    y();",
                "+}",
                "-",
                "-fn b() {}",
                " ",
                " fn c() {}",
                "+",
                "+fn d() {}",
            ]
        );
    }
}
