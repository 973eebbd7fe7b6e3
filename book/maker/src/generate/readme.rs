//! The README's table of chapters, from what each says of itself, between two comments.

use crate::fault::{BookError, Fault, read, write};
use crate::repository::Repository;

const README: &str = "README.md";
const BEGIN: &str = "<!-- chapters: written by `cargo book generate` -->\n";
const END: &str = "<!-- /chapters -->\n";
const HEAD: &str = "| chapter | what you build | the number it moves |\n|---|---|---|\n\
    | the ground floor, `src/ground` | nothing yet: you read how a model file is opened, and how text becomes numbers | |\n";

/// What is there, and what should be.
fn both(repository: &Repository) -> Result<Result<(String, String), Fault>, BookError> {
    let found = read(&repository.root.join(README))?;
    let cut = found.split_once(BEGIN).and_then(|(before, rest)| {
        let (_, after) = rest.split_once(END)?;
        Some(format!("{before}{BEGIN}\n{}\n{END}{after}", table(repository)))
    });
    let missing = || {
        let message = format!("expected the lines {} and {}", BEGIN.trim(), END.trim());
        Fault::in_file(README, message)
    };
    Ok(cut.map(|expected| (found, expected)).ok_or_else(missing))
}

/// A row for every chapter that says what a reader builds in it and which number it moves.
fn table(repository: &Repository) -> String {
    let mut table = HEAD.to_string();
    for chapter in &repository.chapters {
        if let (Some(builds), Some(moves)) = (&chapter.about.builds, &chapter.about.moves) {
            table.push_str(&format!("| `{}` | {builds} | {moves} |\n", chapter.package));
        }
    }
    table
}

pub fn stale(repository: &Repository) -> Result<Option<Fault>, BookError> {
    Ok(match both(repository)? {
        Ok((found, expected)) => super::difference(README, &found, &expected),
        Err(fault) => Some(fault),
    })
}

/// Writes the table anew, if it differs. A README without a place for it stays as it is: `stale` says so.
pub fn update(repository: &Repository) -> Result<Option<String>, BookError> {
    match both(repository)? {
        Ok((found, expected)) if found != expected => {
            write(&repository.root.join(README), &expected)?;
            Ok(Some(format!("wrote   {README}")))
        }
        _ => Ok(None),
    }
}
