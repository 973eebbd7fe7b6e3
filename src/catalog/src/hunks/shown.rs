//! Which lines of a file a listing shows.

use std::collections::BTreeSet;

use crate::hunks::apply_hunks::{Line, Mark};
use crate::hunks::file_diff::FileDiff;

/// What a listing of these hunks shows of a file's lines, in pieces that stand apart; no piece begins with a blank line.
/// `neighbours`: also the lines beside an import or a module, which say where in the block it goes.
pub fn places(
    file: &FileDiff,
    lines: &[Line],
    hunks: &BTreeSet<String>,
    neighbours: bool,
) -> Vec<Vec<Line>> {
    let mut shown: Vec<bool> = lines.iter().map(|line| belongs(file, line, hunks)).collect();
    let mut lines = lines.to_vec();
    if neighbours {
        show_neighbours(file, &lines, &mut shown);
        slide_up(file, &mut lines, &shown);
    }
    let numbered: Vec<(usize, Line)> = lines.into_iter().enumerate().collect();
    numbered
        .chunk_by(|a, b| shown[a.0] == shown[b.0])
        .filter(|run| shown[run[0].0])
        .map(|run| {
            let lines = run.iter().map(|(_, line)| line.clone());
            lines.skip_while(|line| line.is_blank(file)).collect()
        })
        .collect()
}

/// An item that changes is shown whole; of one that only moves away from its neighbour, the blank line.
pub fn belongs(file: &FileDiff, line: &Line, hunks: &BTreeSet<String>) -> bool {
    let segment = &file.segments[line.segment];
    let own = segment.hunk.as_ref().is_some_and(|hunk| hunks.contains(hunk));
    line.mark != Mark::Same || own && !segment.only_spacing()
}

/// The blank line that a listing begins with is left out. If it is new, and one like it follows what is new, then that
/// one may as well be the new one.
fn slide_up(file: &FileDiff, lines: &mut [Line], shown: &[bool]) {
    for at in (0..lines.len()).filter(|&at| shown[at] && (at == 0 || !shown[at - 1])) {
        let new = lines[at..].iter().take_while(|line| line.mark == Mark::Added).count();
        let end = at + new;
        let both = end < lines.len() && shown[end] && lines[end].is_blank(file);
        if new > 0 && both && lines[end].mark == Mark::Same && lines[at].is_blank(file) {
            lines[at].mark = Mark::Same;
            lines[end].mark = Mark::Added;
        }
    }
}

fn show_neighbours(file: &FileDiff, lines: &[Line], shown: &mut [bool]) {
    let listed = |at: usize| file.segments[lines[at].segment].listed;
    let blank = |at: usize| lines[at].is_blank(file);
    let edges: Vec<usize> = (0..lines.len()).filter(|&at| shown[at]).collect();
    for at in edges {
        let above = (0..at).rev().find(|&above| !blank(above));
        let below = (at + 1..lines.len()).find(|&below| !blank(below));
        if listed(at)
            && at > 0
            && !shown[at - 1]
            && let Some(above) = above
        {
            shown[above..at].fill(true);
        }
        let last = at + 1 < lines.len() && !shown[at + 1];
        let beside = last && listed(at) && !blank(at + 1) && listed(at + 1);
        let alone = last && (blank(at) || listed(at) && above.is_none());
        if (beside || alone)
            && let Some(below) = below
        {
            shown[at + 1..=below].fill(true);
        }
    }
    // A sign that lines are left out takes as much room as one line.
    let mut at = 0;
    while at < lines.len() {
        let hidden = shown[at..].iter().take_while(|shown| !**shown).count();
        let inside = at > 0 && at + hidden < lines.len();
        if inside && (at..at + hidden).filter(|&at| !blank(at)).count() < 2 {
            shown[at..at + hidden].fill(true);
        }
        at += hidden.max(1);
    }
}
