//! The rows of a listing: kept, added, removed, folded.

use std::collections::{BTreeMap, BTreeSet};

use crate::apply_hunks::{Line, Mark};
use crate::file_diff::FileDiff;
use crate::highlight::html_lines;
use crate::inline_diff::mark_words;
use crate::row::Row;
use crate::shown::{belongs, places};

/// Unchanged lines shown on each side of a change.
const CONTEXT: usize = 3;

/// What a listing of these hunks shows of a file's lines. `neighbours`: also the lines beside an import or a module,
/// which say where in the block it goes.
pub fn rows(
    file: &FileDiff,
    lines: &[Line],
    hunks: &BTreeSet<String>,
    neighbours: bool,
) -> Vec<Row> {
    let mut html: BTreeMap<(usize, bool), Vec<String>> = BTreeMap::new();
    let mut rows = Vec::new();
    for place in places(file, lines, hunks, neighbours) {
        if !rows.is_empty() {
            rows.push(Row::Gap);
        }
        for line in place {
            let code = html.entry((line.segment, line.is_new)).or_insert_with(|| {
                let lines = file.segments[line.segment].lines(line.is_new);
                html_lines(&file.path, &lines.concat())
            });
            let html = code.get(line.at).cloned().unwrap_or_default();
            rows.push(Row::Line {
                mark: line.mark,
                html,
                beside: !belongs(file, &line, hunks),
            });
        }
    }
    mark_words(&mut rows);
    rows
}

/// The rows as HTML, none of them blank, so that Markdown sees one block. With marks a row is one element, and what kind of
/// element says whether it is new, old or kept: the sign before it comes from the style. Without, it is a line of text.
pub fn to_html(rows: &[Row], marks: bool) -> String {
    let class = if marks { "listing" } else { "listing plain" };
    let mut out = format!("<pre class=\"{class}\"><span class=\"rows\">");
    let far = if marks { far_from_change(rows) } else { vec![false; rows.len()] };
    for (at, row) in rows.iter().enumerate() {
        let folded = far[at];
        if folded && (at == 0 || !far[at - 1]) {
            let count = far[at..].iter().take_while(|far| **far).count();
            out.push_str(&format!(
                "<button class=\"fold\" type=\"button\">{count} unchanged lines</button>"
            ));
        }
        match row {
            Row::Gap => out.push_str("<span class=\"gap\">\u{22ef}\n</span>"),
            Row::Line { html, .. } if !marks => {
                let html = if html.is_empty() { "<b></b>" } else { html };
                out.push_str(&format!("{html}\n"));
            }
            Row::Line { mark, html, beside } => {
                let tag = match mark {
                    Mark::Added => "ins",
                    Mark::Removed => "del",
                    Mark::Same => "span",
                };
                let class = match (folded, beside) {
                    (true, _) => " class=\"folded\"",
                    (false, true) => " class=\"beside\"",
                    (false, false) => "",
                };
                out.push_str(&format!("<{tag}{class}>{html}\n</{tag}>"));
            }
        }
    }
    out.push_str("</span></pre>");
    out
}

/// Unchanged lines out of sight of any change; a short stretch is not worth folding.
fn far_from_change(rows: &[Row]) -> Vec<bool> {
    let same = |row: &Row| matches!(row, Row::Line { mark: Mark::Same, .. });
    let near = |at: usize| {
        rows[at.saturating_sub(CONTEXT)..(at + CONTEXT + 1).min(rows.len())]
            .iter()
            .any(|row| !same(row))
    };
    let mut far: Vec<bool> = (0..rows.len()).map(|at| same(&rows[at]) && !near(at)).collect();
    let mut at = 0;
    while at < far.len() {
        let run = far[at..].iter().take_while(|far| **far).count();
        if run <= CONTEXT {
            far[at..at + run].fill(false);
        }
        at += run.max(1);
    }
    far
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::apply_hunks::{as_shown, transition};
    use crate::book::Book;
    use crate::claims::Claims;
    use crate::diff::ChapterDiff;
    use crate::repository::{Chapter, Repository};
    use crate::select::select;

    fn file(old: &str, new: &str) -> FileDiff {
        let chapter = |package: &str, text: &str| Chapter {
            short: package[..4].into(),
            package: package.into(),
            folder: String::new(),
            files: [("src/a.rs".to_string(), text.to_string())].into(),
            ..Chapter::default()
        };
        let old = chapter("ch00-old", old);
        ChapterDiff::between(Some(&old), &chapter("ch01-new", new)).files.remove(0)
    }

    fn drawn_rows(file: &FileDiff, hunks: &BTreeSet<String>) -> Vec<Row> {
        rows(file, &as_shown(file, &BTreeSet::new(), hunks), hunks, true)
    }

    /// Marks and plain text, a row each.
    fn drawn(file: &FileDiff, names: &[&str]) -> Vec<String> {
        let hunks = names.iter().map(|name| format!("ch01/a.rs/{name}")).collect();
        let tags = |html: &str| {
            html.split('<')
                .map(|part| part.rsplit('>').next().unwrap_or(""))
                .collect::<String>()
        };
        let row = |row: &Row| match row {
            Row::Gap => "...".into(),
            Row::Line { mark: Mark::Same, html, .. } => format!(" {}", tags(html)),
            Row::Line { mark: Mark::Added, html, .. } => format!("+{}", tags(html)),
            Row::Line { mark: Mark::Removed, html, .. } => format!("-{}", tags(html)),
        };
        drawn_rows(file, &hunks).iter().map(row).collect()
    }

    #[test]
    fn a_changed_item_shows_itself_and_nothing_else() {
        let file =
            file("fn a() {\n    1\n}\n\nfn b() {}\n", "fn a() {\n    2\n}\n\nfn b() {}\n");
        assert_eq!(drawn(&file, &["fn-a"]), [" fn a() {", "-    1", "+    2", " }"]);
    }

    #[test]
    fn code_between_two_items_is_a_gap() {
        let file = file(
            "fn a() {}\n\nfn b() {\n}\n\nfn c() {}\n",
            "fn a(x: u8) {}\n\nfn b() {\n}\n\nfn c(x: u8) {}\n",
        );
        let expected =
            ["-fn a() {}", "+fn a(x: u8) {}", "...", "-fn c() {}", "+fn c(x: u8) {}"];
        assert_eq!(drawn(&file, &["fn-a", "fn-c"]), expected);
    }

    #[test]
    fn an_item_that_moved_is_shown_once() {
        let file = file(
            "fn a() {}\n\nfn b() {}\n\nfn c() {}\n",
            "fn b() {}\n\nfn c() {}\n\nfn a() {\n    1;\n}\n",
        );
        let shown = drawn(&file, &["fn-a"]);
        assert_eq!(shown.iter().filter(|row| row.contains("fn a")).count(), 2, "{shown:?}");
        assert!(
            shown.contains(&"-fn a() {}".to_string()) && shown.contains(&"+    1;".to_string()),
            "{shown:?}"
        );
    }

    #[test]
    fn long_unchanged_stretches_fold_and_no_line_of_html_is_blank() {
        let body: String = (0..20).map(|i| format!("    step({i});\n\n")).collect();
        let file = file(
            &format!("fn a() {{\n{body}}}\n"),
            &format!("fn a() {{\n{body}    end();\n}}\n"),
        );
        let hunks = ["ch01/a.rs/fn-a".to_string()].into();
        let html = to_html(&drawn_rows(&file, &hunks), true);
        assert!(html.contains("38 unchanged lines"), "{html}");
        assert_eq!(html.matches("class=\"folded\"").count(), 38);
        assert!(html.lines().all(|line| !line.trim().is_empty()));
    }

    /// Whoever finds the old lines of each piece, and puts the new ones there, has what the chapter has.
    #[test]
    #[ignore = "cargo prove: all listings of the book"]
    fn the_listings_of_the_book_typed_one_after_the_other_are_the_chapters() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let repository = Repository::open(&root).expect("the course can be read");
        let claims =
            Claims::tell(&repository, &Book::load(&repository).expect("the book can be read"));
        let mut seen = BTreeSet::new();
        let mut found = 0;
        for claim in claims.all.iter().filter(|claim| claim.chapter != "ground") {
            let diff = claims.diff(&claim.chapter).expect("a claim names its chapter");
            let (file, hunks) = select(diff, &claim.target).expect("a claim names hunks");
            let mut typed = diff.apply(&seen).remove(&file.path).unwrap_or_default();
            // What the lines say was there, was there; what they say comes of it, comes of it.
            let exact = transition(file, &seen, &hunks);
            for (state, without) in
                [(seen.clone(), Mark::Added), (&seen | &hunks, Mark::Removed)]
            {
                let kept = exact.iter().filter(|line| line.mark != without);
                let expected = diff.apply(&state).remove(&file.path).unwrap_or_default();
                assert_eq!(kept.map(|line| line.text(file)).collect::<String>(), expected);
            }
            let lines = as_shown(file, &seen, &hunks);
            // From the bottom to the top, so that line numbers stay what they were.
            for place in places(file, &lines, &hunks, true).into_iter().rev() {
                let text = |without: Mark| -> String {
                    let kept = place.iter().filter(|line| line.mark != without);
                    kept.map(|line| line.text(file)).collect()
                };
                let (old, new) = (text(Mark::Added), text(Mark::Removed));
                if !old.trim().is_empty() && !new.is_empty() {
                    assert_eq!(typed.matches(&old).count(), 1, "{}: {old}", claim.target);
                    typed = typed.replace(&old, &new);
                    found += 1;
                    continue;
                }
                // What comes or goes as a whole takes the blank line before it along.
                let first = lines.iter().position(|line| *line == place[0]).expect("a line");
                let blanks = lines[..first]
                    .iter()
                    .rev()
                    .take_while(|line| line.mark == place[0].mark && line.is_blank(file))
                    .count();
                let there = |line: &&Line| line.mark != Mark::Added;
                let above = lines[..first - blanks].iter().filter(there).count();
                let mut all: Vec<&str> = typed.split_inclusive('\n').collect();
                let gone = if new.is_empty() { blanks + place.len() } else { 0 };
                let new = "\n".repeat(if new.is_empty() { 0 } else { blanks }) + &new;
                all.splice(above..above + gone, [new.as_str()]);
                typed = all.concat();
            }
            seen.extend(hunks);
            let expected = diff.apply(&seen).remove(&file.path).unwrap_or_default();
            assert_eq!(typed, expected, "{} on {}:{}", claim.target, claim.page, claim.line);
        }
        assert!(found > 50, "only {found} pieces have a line to find them by");
    }

    #[test]
    fn without_marks_there_are_no_insertions() {
        let file = file("", "fn a() {}\n");
        let html = to_html(&drawn_rows(&file, &["ch01/a.rs/fn-a".to_string()].into()), false);
        assert!(!html.contains("<ins") && html.contains(">fn</b>"), "{html}");
    }
}
