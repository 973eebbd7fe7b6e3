//! A file while hunks are applied to it: which of its lines stay, go and come.

use std::collections::BTreeSet;

use crate::hunks::align::{Step, align};
use crate::hunks::file_diff::{FileDiff, Segment};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    Same,
    Added,
    Removed,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub mark: Mark,
    /// The segment that it is a line of, and which of its lines.
    pub segment: usize,
    pub at: usize,
    /// A line of the segment as it is, not as it was.
    pub is_new: bool,
}

impl Line {
    pub fn text<'a>(&self, file: &'a FileDiff) -> &'a str {
        &file.segments[self.segment].lines(self.is_new)[self.at]
    }

    pub fn is_blank(&self, file: &FileDiff) -> bool {
        self.text(file).trim().is_empty()
    }

    /// A blank line before an item, not inside one.
    pub fn separates(&self, file: &FileDiff) -> bool {
        let lines = file.segments[self.segment].lines(self.is_new);
        lines[..=self.at].iter().all(|line| line.trim().is_empty())
    }
}

/// All lines of the file, from the state with the hunks `before` to the state with `hunks` as well: the lines that stay
/// or go are the one, those that stay or come are the other.
pub fn transition(
    file: &FileDiff,
    before: &BTreeSet<String>,
    hunks: &BTreeSet<String>,
) -> Vec<Line> {
    let pieces = file.segments.iter().enumerate().map(|(index, segment)| {
        if segment.changes_with(before) || !segment.changes_with(hunks) {
            let is_new = segment.changes_with(before);
            let same = |at| Line { mark: Mark::Same, segment: index, at, is_new };
            (0..segment.lines(is_new).len()).map(same).collect()
        } else {
            changes(&segment.old, &segment.new, index, index)
        }
    });
    settle(file, pieces.flatten().collect())
}

/// The same for a reader: an item that moved is where it is now, against what it was.
pub fn as_shown(
    file: &FileDiff,
    before: &BTreeSet<String>,
    hunks: &BTreeSet<String>,
) -> Vec<Line> {
    let mut lines = transition(file, before, hunks);
    for (old, new) in moves(file) {
        if file.segments[old].changes_with(hunks) {
            lines.retain(|line| line.segment != old);
            let at = lines.iter().position(|line| line.segment == new).unwrap_or(lines.len());
            lines.retain(|line| line.segment != new);
            let moved = changes(&file.segments[old].old, &file.segments[new].new, old, new);
            lines.splice(at..at, moved);
        }
    }
    lines
}

/// Where items that moved were, and where they are. The two ends of an `impl` have one key: the first is the first.
pub fn moves(file: &FileDiff) -> Vec<(usize, usize)> {
    let real = |lines: &[String]| !lines.concat().trim().is_empty();
    let gone = |s: &Segment| s.new.is_empty() && real(&s.old);
    let came = |s: &Segment| s.old.is_empty() && real(&s.new);
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (old, segment) in file.segments.iter().enumerate().filter(|(_, s)| gone(s)) {
        let twin = file.segments.iter().enumerate().position(|(new, other)| {
            came(other)
                && other.key == segment.key
                && found.iter().all(|(_, taken)| *taken != new)
        });
        found.extend(twin.map(|new| (old, new)));
    }
    found
}

/// The blank lines before an item are compared with one another, and what follows with what followed.
fn changes(old: &[String], new: &[String], from: usize, to: usize) -> Vec<Line> {
    let blanks =
        |lines: &[String]| lines.iter().take_while(|line| line.trim().is_empty()).count();
    let (old_blanks, new_blanks) = (blanks(old), blanks(new));
    let removed = |at| Line { mark: Mark::Removed, segment: from, at, is_new: false };
    let kept = |mark, at| Line { mark, segment: to, at, is_new: true };
    let line = |step, i0: usize, j0: usize| match step {
        Step::Both(_, j) => kept(Mark::Same, j0 + j),
        Step::Old(i) => removed(i0 + i),
        Step::New(j) => kept(Mark::Added, j0 + j),
    };
    let above = align(&old[..old_blanks], &new[..new_blanks]);
    let code = align(&old[old_blanks..], &new[new_blanks..]);
    let above = above.into_iter().map(|step| line(step, 0, 0));
    above.chain(code.into_iter().map(|step| line(step, old_blanks, new_blanks))).collect()
}

/// Where one item takes a blank line away and its neighbour brings one, the blank line stays.
fn settle(file: &FileDiff, lines: Vec<Line>) -> Vec<Line> {
    let mut out = Vec::new();
    for run in lines.chunk_by(|a, b| (a.mark == Mark::Same) == (b.mark == Mark::Same)) {
        if run[0].mark == Mark::Same {
            out.extend_from_slice(run);
        } else {
            settle_changes(file, run.to_vec(), &mut out);
        }
    }
    out
}

fn settle_changes(file: &FileDiff, mut run: Vec<Line>, out: &mut Vec<Line>) {
    while let Some(first) = run.iter().position(|line| line.separates(file)) {
        let mut rest = run.split_off(first + 1);
        out.append(&mut run);
        let blank = out.last().cloned().expect("the line just taken");
        let other =
            rest.iter().position(|line| line.separates(file) && line.mark != blank.mark);
        // What an item was and what it is stay together, even if that costs a blank line.
        let changes = |line: &Line| {
            let segment = &file.segments[line.segment];
            !segment.old.is_empty() && !segment.new.is_empty()
        };
        if let Some(other) = other.filter(|&other| !rest[..other].iter().any(changes)) {
            run = rest.split_off(other + 1);
            let twin = rest.pop().expect("the line just found");
            let (above, below): (Vec<Line>, Vec<Line>) =
                rest.into_iter().partition(|line| line.mark == twin.mark);
            out.pop();
            out.extend(above);
            let stays = if twin.is_new { twin } else { blank };
            out.push(Line { mark: Mark::Same, ..stays });
            run.splice(0..0, below);
        } else {
            run = rest;
        }
    }
    out.append(&mut run);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hunks::diff::ChapterDiff;
    use crate::repository::Chapter;

    fn text(file: &FileDiff, lines: &[Line], without: Mark) -> String {
        lines.iter().filter(|line| line.mark != without).map(|line| line.text(file)).collect()
    }

    /// What the lines say was there, was there; what they say comes of it, comes of it.
    #[track_caller]
    fn assert_exact(
        diff: &ChapterDiff,
        file: &FileDiff,
        before: &BTreeSet<String>,
        hunks: &BTreeSet<String>,
    ) {
        let lines = transition(file, before, hunks);
        let all = before.union(hunks).cloned().collect();
        for (state, without) in [(before, Mark::Added), (&all, Mark::Removed)] {
            let expected = diff.apply(state).remove(&file.path).unwrap_or_default();
            assert_eq!(text(file, &lines, without), expected, "{hunks:?} after {before:?}");
        }
    }

    const OLD: &str = "//! Old.\n\nmod a;\nmod c;\n\nuse a::b;\n\nuse crate::e;\nuse crate::f;\n\nimpl X {\n    fn f() {}\n}\n\nfn moved() {}\n\nfn gone() {}\n";
    const NEW: &str = "//! New.\n\nmod a;\nmod b;\nmod c;\n\nuse a::b;\nuse a::c;\n\nuse crate::d;\nuse crate::f;\n\nfn moved() {}\n\nimpl X {\n    fn e() {}\n\n    fn f() {}\n}\n";

    #[test]
    #[ignore = "cargo prove: some thousand parts of a change"]
    fn any_part_of_a_change_on_top_of_any_other_is_exact() {
        let chapter = |package: &str, text: &str| Chapter {
            short: package[..4].into(),
            package: package.into(),
            folder: String::new(),
            files: [("src/a.rs".to_string(), text.to_string())].into(),
            ..Chapter::default()
        };
        let (old, new) = (chapter("ch00-old", OLD), chapter("ch01-new", NEW));
        for before in [None, Some(&old)] {
            let diff = ChapterDiff::between(before, &new);
            let file = &diff.files[0];
            let names: Vec<String> = file.hunks().into_iter().collect();
            let part = |bits: usize| -> BTreeSet<String> {
                let taken = |at: &usize| bits >> at & 1 == 1;
                (0..names.len()).filter(taken).map(|at| names[at].clone()).collect()
            };
            let all = (1 << names.len()) - 1;
            for bits in 0..=all {
                let before = part(bits);
                assert_exact(&diff, file, &before, &part(all & !bits));
                for one in &names {
                    assert_exact(&diff, file, &before, &BTreeSet::from([one.clone()]));
                }
            }
        }
    }
}
