//! Everything in `book/src/generated`, the README's table and the line above each page's title: what it should hold now, and what differs.
//!
//! A new kind of generated thing is one more function in `STEPS`.

mod checkpoint;
mod cover;
mod formulas;
mod fragments;
mod live;
mod places;
mod readme;
mod runs;
mod solutions;
mod stats;
mod tables;
mod terms;
mod whole;

use std::collections::BTreeMap;

use crate::carry::conflicts;
use crate::fault::{Fault, PressError, files_under, read, write};
use crate::house::House;
use crate::sources::Sources;

pub use formulas::mathml;
pub use runs::{Run, block, load as load_runs};
pub use stats::pages;

/// Path below `book/src/generated`, to text.
pub type Files = BTreeMap<String, String>;

/// A step adds its files and returns what is wrong with its sources.
type Step = fn(&Sources, &mut Files) -> Result<Vec<Fault>, PressError>;

const STEPS: &[Step] = &[
    checkpoint::step,
    fragments::step,
    whole::step,
    formulas::step,
    runs::step,
    tables::step,
    solutions::step,
    cover::step,
    live::step,
    terms::step,
    stats::step,
];

/// What the folder should hold. Commands are not run again: their recorded output is taken as it is.
pub fn expected(sources: &Sources) -> Result<(Files, Vec<Fault>), PressError> {
    let (mut files, mut faults) = (Files::new(), Vec::new());
    for step in STEPS {
        faults.extend(step(sources, &mut files)?);
    }
    Ok((files, faults))
}

/// What differs between the folder and what it should hold.
pub fn stale(house: &House, expected: &Files) -> Result<Vec<Fault>, PressError> {
    let folder = house.generated();
    let mut faults = Vec::from_iter(readme::stale(house)?);
    faults.extend(places::stale(house)?);
    let place = |path: &str| format!("book/src/generated/{path}");
    for (path, text) in expected {
        match std::fs::read_to_string(folder.join(path)) {
            Err(_) => {
                faults.push(Fault::in_file(place(path), "missing: run `cargo press generate`"))
            }
            Ok(found) => faults.extend(difference(&place(path), &found, text)),
        }
    }
    for path in files_under(&folder)? {
        if !expected.contains_key(&path) {
            faults.push(Fault::in_file(
                place(&path),
                "left over: nothing makes this file any more",
            ));
        }
    }
    Ok(faults)
}

/// The first line that is not as expected.
fn difference(place: &str, found: &str, expected: &str) -> Option<Fault> {
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    let message = "not what its source gives now: run `cargo press generate`";
    (found != expected).then(|| Fault::at(place, same + 1, message))
}

/// Writes what differs and removes what is left over; says what it did. It writes nothing as long as a chapter has a
/// conflict in it.
pub fn update(house: &House, expected: &Files) -> Result<Vec<String>, PressError> {
    if let Some(Fault { place, message }) = conflicts(house).into_iter().next() {
        return Err(PressError::Content { path: place.into(), reason: message });
    }
    let folder = house.generated();
    let mut done = Vec::from_iter(readme::update(house)?);
    done.extend(places::update(house)?);
    for (path, text) in expected {
        let file = folder.join(path);
        if read(&file).ok().as_ref() != Some(text) {
            write(&file, text)?;
            done.push(format!("wrote   {path}"));
        }
    }
    for path in files_under(&folder)? {
        if !expected.contains_key(&path) {
            let file = folder.join(&path);
            std::fs::remove_file(&file)
                .map_err(|source| PressError::File { path: file, source })?;
            done.push(format!("removed {path}"));
        }
    }
    Ok(done)
}
