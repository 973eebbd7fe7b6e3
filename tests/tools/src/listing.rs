//! The rows of a listing: kept, added, removed, folded.

use std::collections::BTreeSet;

use crate::align::{Step, align};
use crate::diff::{FileDiff, Segment};
use crate::highlight::html_lines;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Same,
    Added,
    Removed,
}

#[derive(Clone, Debug)]
pub enum Row {
    Line {
        mark: Mark,
        html: String,
    },
    /// Code of the file that is no part of this listing.
    Gap,
}

/// Unchanged lines shown on each side of a change.
const CONTEXT: usize = 3;

/// The rows for these hunks of a file.
pub fn rows(file: &FileDiff, hunks: &BTreeSet<String>) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut skipped = false;
    for (before, after) in stretches(file, hunks) {
        let Some((old, new)) = before.zip(after) else {
            skipped = !rows.is_empty();
            continue;
        };
        let added = changes(&file.path, &old, &new);
        let blank = |row: &&Row| matches!(row, Row::Line { html, .. } if html.is_empty());
        let blanks =
            if rows.is_empty() || skipped { added.iter().take_while(blank).count() } else { 0 };
        if skipped {
            rows.push(Row::Gap);
        }
        skipped = false;
        rows.extend(added.into_iter().skip(blanks));
    }
    rows
}

type Stretch = (Option<Vec<String>>, Option<Vec<String>>);

/// Old and new lines of each stretch that is shown; (None, None) stands for code in between. An item that moved is
/// shown where it is now, against what it was.
fn stretches(file: &FileDiff, hunks: &BTreeSet<String>) -> Vec<Stretch> {
    let shown =
        |segment: &Segment| segment.hunk.as_ref().is_some_and(|hunk| hunks.contains(hunk));
    let twin = |segment: &Segment, gone: bool| {
        let mut same = file
            .segments
            .iter()
            .filter(|other| other.key == segment.key && other.hunk == segment.hunk);
        same.find(|other| if gone { other.new.is_empty() } else { other.old.is_empty() })
            .cloned()
    };
    let mut out = Vec::new();
    for segment in &file.segments {
        if !shown(segment) {
            if !segment.new.is_empty() {
                out.push((None, None));
            }
        } else if segment.new.is_empty() && twin(segment, false).is_some() {
            continue;
        } else if segment.old.is_empty() {
            let old = twin(segment, true).map(|gone| gone.old).unwrap_or_default();
            out.push((Some(old), Some(segment.new.clone())));
        } else {
            out.push((Some(segment.old.clone()), Some(segment.new.clone())));
        }
    }
    out
}

fn changes(path: &str, old: &[String], new: &[String]) -> Vec<Row> {
    let (old_html, new_html) =
        (html_lines(path, &old.concat()), html_lines(path, &new.concat()));
    let row = |mark, html: Option<&String>| Row::Line {
        mark,
        html: html.cloned().unwrap_or_default(),
    };
    align(old, new)
        .into_iter()
        .map(|step| match step {
            Step::Both(_, j) => row(Mark::Same, new_html.get(j)),
            Step::Old(i) => row(Mark::Removed, old_html.get(i)),
            Step::New(j) => row(Mark::Added, new_html.get(j)),
        })
        .collect()
}

/// A listing without marks.
pub fn plain(path: &str, text: &str) -> Vec<Row> {
    html_lines(path, text)
        .into_iter()
        .map(|html| Row::Line { mark: Mark::Same, html })
        .collect()
}

/// The rows as HTML: one element a line, none of them blank, so that Markdown sees one block.
pub fn to_html(rows: &[Row], marks: bool) -> String {
    let mut out = String::from("<pre class=\"listing\"><span class=\"rows\">");
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
            Row::Line { mark, html } => {
                let (tag, sign) = match mark {
                    Mark::Added if marks => ("ins", "+"),
                    Mark::Removed if marks => ("del", "\u{2212}"),
                    _ => ("span", " "),
                };
                let class = if folded { "row folded" } else { "row" };
                let sign = if marks { format!("<i>{sign}</i>") } else { String::new() };
                out.push_str(&format!("<{tag} class=\"{class}\">{sign}{html}\n</{tag}>"));
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

/// Lines added and removed in these rows.
pub fn counts(rows: &[Row]) -> (usize, usize) {
    let count = |wanted| {
        rows.iter()
            .filter(|row| matches!(row, Row::Line { mark, .. } if *mark == wanted))
            .count()
    };
    (count(Mark::Added), count(Mark::Removed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::course::Chapter;
    use crate::diff::ChapterDiff;

    fn file(old: &str, new: &str) -> FileDiff {
        let chapter = |package: &str, text: &str| Chapter {
            short: package[..4].into(),
            package: package.into(),
            folder: String::new(),
            files: [("src/a.rs".to_string(), text.to_string())].into(),
        };
        let old = chapter("ch00-old", old);
        ChapterDiff::between(Some(&old), &chapter("ch01-new", new)).files.remove(0)
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
            Row::Line { mark: Mark::Same, html } => format!(" {}", tags(html)),
            Row::Line { mark: Mark::Added, html } => format!("+{}", tags(html)),
            Row::Line { mark: Mark::Removed, html } => format!("-{}", tags(html)),
        };
        rows(file, &hunks).iter().map(row).collect()
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
            "fn a() {}\n\nfn b() {}\n\nfn c() {}\n",
            "fn a(x: u8) {}\n\nfn b() {}\n\nfn c(x: u8) {}\n",
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
        let html = to_html(&rows(&file, &hunks), true);
        assert!(html.contains("38 unchanged lines"), "{html}");
        assert_eq!(html.matches("class=\"row folded\"").count(), 38);
        assert!(html.lines().all(|line| !line.trim().is_empty()));
    }

    #[test]
    fn without_marks_there_are_no_insertions() {
        let file = file("", "fn a() {}\n");
        let html = to_html(&rows(&file, &["ch01/a.rs/fn-a".to_string()].into()), false);
        assert!(!html.contains("<ins") && !html.contains("<i>"), "{html}");
    }
}
