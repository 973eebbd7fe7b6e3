//! What of the README is made: the table of chapters, from what each says of itself, between two comments, what its first
//! command prints, and the picture of the staircase, light and dark.

use std::fs;

use super::{cover, picture, runs};
use crate::fault::{BookError, Fault, read, write};
use crate::numbers::shown;
use crate::repository::Repository;

const README: &str = "README.md";
const HEAD: &str = "| | what you build | the number that it moves |\n|---:|---|---|\n";

/// A tracked file as it is, and as it should be.
struct Made {
    path: &'static str,
    found: String,
    expected: String,
}

fn all(repository: &Repository) -> Result<Result<Vec<Made>, Fault>, BookError> {
    let found = read(&repository.root.join(README))?;
    let in_file = |reason| Fault::in_file(README, reason);
    let begin = "<!-- chapters: written by `cargo book generate` -->\n";
    let table = table(repository);
    let table = table.and_then(|table| between(&found, begin, &table, "<!-- /chapters -->\n"));
    let mut expected = match table {
        Ok(expected) => expected,
        Err(reason) => return Ok(Err(in_file(reason))),
    };
    if let Ok(kept) = read(&runs::recording(repository, "ch02-first")) {
        match between(&expected, "```text\n", &printed(&kept), "```\n") {
            Ok(with_it) => expected = with_it,
            Err(reason) => return Ok(Err(in_file(reason))),
        }
    }
    let mut all = vec![Made { path: README, found, expected }];
    match cover::stairs(repository) {
        None => {}
        Some(Err(reason)) => return Ok(Err(in_file(reason))),
        Some(Ok((stairs, measured))) => {
            for (path, colours) in picture::BOTH {
                let found = fs::read_to_string(repository.root.join(path)).unwrap_or_default();
                let expected = picture::drawn(&stairs, &measured, colours);
                all.push(Made { path, found, expected });
            }
        }
    }
    Ok(Ok(all))
}

/// The text with what is made between these two lines.
fn between(text: &str, begin: &str, made: &str, end: &str) -> Result<String, String> {
    let cut = text.split_once(begin).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(end)?;
        Some(format!("{before}{begin}{made}{end}{after}"))
    });
    cut.ok_or_else(|| format!("expected the lines {} and {}", begin.trim(), end.trim()))
}

/// What the block of a console has below its command, in lines that the host's page shows whole.
fn printed(block: &str) -> String {
    let mut out = String::new();
    for line in block.lines().skip(2).filter(|line| *line != "```") {
        let mut wide = 0;
        for word in line.split(' ') {
            let first = wide == 0;
            wide += word.chars().count() + usize::from(!first);
            if wide > 100 {
                wide = word.chars().count();
                out.push('\n');
            } else if !first {
                out.push(' ');
            }
            out.push_str(word);
        }
        out.push('\n');
    }
    out
}

/// A row for every chapter that says what a reader builds in it and which number it moves, below the name of its flight.
fn table(repository: &Repository) -> Result<String, String> {
    let mut table = HEAD.to_string();
    for chapter in &repository.chapters {
        let about = &chapter.about;
        let (Some(builds), Some(moves)) = (&about.builds, &about.moves) else { continue };
        if let Some(flight) = &about.flight {
            table.push_str(&format!("| | **{flight}** | |\n"));
        }
        let package = &chapter.package;
        let moves = shown(&repository.root, moves);
        if let Some((_, why)) = moves.missing.iter().chain(&moves.untrue).next() {
            return Err(format!("{package}: {why}"));
        }
        let moves = moves.text;
        let number = crate::title::number(&chapter.short);
        let row = format!("| [{number}](chapters/{package}) | {builds} | {moves} |\n");
        table.push_str(&row);
    }
    Ok(table)
}

pub fn stale(repository: &Repository) -> Result<Vec<Fault>, BookError> {
    Ok(match all(repository)? {
        Ok(all) => all
            .iter()
            .filter_map(|made| super::difference(made.path, &made.found, &made.expected))
            .collect(),
        Err(fault) => vec![fault],
    })
}

/// Writes what differs. A README without a place for it stays as it is: `stale` says so.
pub fn update(repository: &Repository) -> Result<Vec<String>, BookError> {
    let mut wrote = Vec::new();
    for made in all(repository)?.unwrap_or_default() {
        if made.found != made.expected {
            write(&repository.root.join(made.path), &made.expected)?;
            wrote.push(format!("wrote   {}", made.path));
        }
    }
    Ok(wrote)
}
