//! A file of a step as a change of what the state before left. It is a diff without numbers of lines, which a fix further up
//! would make wrong, and which nobody could keep right by hand:
//!
//! ```text
//! @@
//!  as it was
//! -goes
//! +comes
//! ```
//!
//! What was there of a hunk is in the file exactly once, below the hunk before it.

use crate::hunks::align::{Step, align};

/// Follows the name of the file that is changed.
pub const CHANGE: &str = ".diff";

/// So many lines that stay belong to one hunk with what changes around them: two hunks would not be shorter.
const GAP: usize = 3;

/// What makes `new` of `old`; nothing where no such text does.
pub fn change(old: &str, new: &str) -> Option<String> {
    let was: Vec<&str> = old.split_inclusive('\n').collect();
    let is: Vec<&str> = new.split_inclusive('\n').collect();
    let steps = align(&was, &is);
    let changes = |at: &usize| !matches!(steps[*at], Step::Both(..));
    let line =
        |at: usize| steps[..at].iter().filter(|step| !matches!(step, Step::New(_))).count();
    let (mut out, mut told) = (String::new(), 0);
    while let Some(first) = (told..steps.len()).find(changes) {
        let (mut from, mut to) = (first, first);
        loop {
            while let Some(next) = (to..steps.len().min(to + GAP + 1)).find(changes) {
                to = next + 1;
            }
            // A line more on both sides, until the place is certain.
            (from, to) = (from.saturating_sub(1).max(told), steps.len().min(to + 1));
            if places(&was[line(told)..], &was[line(from)..line(to)]).len() == 1 {
                break;
            }
        }
        out.push_str("@@\n");
        for step in &steps[from..to] {
            match *step {
                // Editors would take the blank before it.
                Step::Both(_, at) if is[at] == "\n" => out.push('\n'),
                Step::Both(_, at) => out.extend([" ", is[at]]),
                Step::Old(at) => out.extend(["-", was[at]]),
                Step::New(at) => out.extend(["+", is[at]]),
            }
        }
        told = to;
    }
    // Nor is a blank line at its end safe from them.
    let shorter = out.strip_suffix("\n\n").map(|rest| format!("{rest}\n"));
    let mut both = shorter.into_iter().chain([out]);
    both.find(|out| changed_by(old, out).as_deref() == Ok(new))
}

/// `old` with this change, or where it doesn't fit.
pub fn changed_by(old: &str, change: &str) -> Result<String, String> {
    let was: Vec<&str> = old.split_inclusive('\n').collect();
    let (mut out, mut at) = (String::with_capacity(old.len() + change.len()), 0);
    for hunk in hunks(change)? {
        let found = places(&was[at..], &hunk.old);
        let [place] = found[..] else {
            let why = match found.len() {
                0 => unlike(&was, at, &hunk.old),
                many => format!("expected its place below line {at}, found {many} such places"),
            };
            return Err(format!("line {}: {why}", hunk.line));
        };
        out.extend(was[at..at + place].iter().chain(&hunk.new).copied());
        at += place + hunk.old.len();
    }
    out.extend(was[at..].iter().copied());
    Ok(out)
}

struct Hunk<'a> {
    line: usize,
    old: Vec<&'a str>,
    new: Vec<&'a str>,
}

fn hunks(change: &str) -> Result<Vec<Hunk<'_>>, String> {
    let mut hunks: Vec<Hunk> = Vec::new();
    for (at, text) in change.split_inclusive('\n').enumerate() {
        let line = at + 1;
        if text.starts_with("@@") {
            hunks.push(Hunk { line, old: Vec::new(), new: Vec::new() });
            continue;
        }
        let hunk = hunks.last_mut().filter(|_| text.starts_with([' ', '-', '+', '\n']));
        let hunk = hunk.ok_or_else(|| {
            format!("line {line}: expected `@@`, then lines after a blank, `-` or `+`; found {text:?}")
        })?;
        let rest = if text == "\n" { text } else { &text[1..] };
        hunk.old.extend((!text.starts_with('+')).then_some(rest));
        hunk.new.extend((!text.starts_with('-')).then_some(rest));
    }
    Ok(hunks)
}

/// Where these lines are among all.
fn places(all: &[&str], lines: &[&str]) -> Vec<usize> {
    (0..=all.len()).filter(|at| all[*at..].starts_with(lines)).collect()
}

/// The first line that isn't as expected, where most are.
fn unlike(was: &[&str], begin: usize, old: &[&str]) -> String {
    let same = |at: &usize| was[*at..].iter().zip(old).filter(|(was, old)| was == old).count();
    let best = (begin..was.len()).rev().max_by_key(same).unwrap_or(begin);
    let differs = |at: &usize| was.get(best + at) != old.get(*at);
    let first = (0..old.len()).find(differs).unwrap_or_default();
    let found = was.get(best + first).map_or("its end".into(), |line| format!("{line:?}"));
    format!(
        "expected {:?} in line {} of the state before, found {found}",
        old[first],
        best + first + 1
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_becomes_any_other() {
        // All texts of at most four lines of three kinds.
        let mut texts = vec![String::new()];
        for at in 0..121 / 3 {
            texts.extend(["a\n", "b\n", "\n"].map(|line| format!("{}{line}", texts[at])));
        }
        assert_eq!(texts.last().map(String::as_str), Some("\n\n\n\n"));
        for old in &texts {
            for new in &texts {
                let made = change(old, new).map(|change| changed_by(old, &change));
                assert_eq!(made, Some(Ok(new.clone())), "{old:?}");
            }
        }
    }

    #[test]
    fn a_hunk_is_as_long_as_it_needs_to_fit_once_and_what_does_not_fit_is_named() {
        const OLD: &str = "fn a() {\n    1\n}\n\nfn b() {\n    1\n}\n";
        let to_two = |old: &str| old.replace("b() {\n    1", "b() {\n    2");
        let change = change(OLD, &to_two(OLD)).expect("a change");
        assert_eq!(change, "@@\n fn b() {\n-    1\n+    2\n }\n");
        let above = format!("//! New.\n{OLD}");
        assert_eq!(changed_by(&above, &change), Ok(to_two(&above)));
        for (change, expected) in [
            (
                "-a\n",
                "line 1: expected `@@`, then lines after a blank, `-` or `+`; found \"-a\\n\"",
            ),
            ("@@\n-    1\n", "line 1: expected its place below line 0, found 2 such places"),
            (
                "@@\n-fn a() {\n@@\n fn b() {\n-    2\n }\n",
                "line 3: expected \"    2\\n\" in line 6 of the state before, found \"    1\\n\"",
            ),
        ] {
            assert_eq!(changed_by(OLD, change), Err(expected.into()), "{change}");
        }
    }
}
