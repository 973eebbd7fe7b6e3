//! Everything that pages include as `generated/...`, which is in no file: it is made of its sources whenever the book is
//! built or checked.
//!
//! A new kind of generated thing is one more function in `STEPS`.

mod checkpoint;
mod cover;
pub mod form;
mod formulas;
mod fragments;
mod live;
mod picture;
mod places;
pub mod readme;
mod runs;
mod scoreboard;
mod solutions;
mod stats;
mod tables;
pub mod whole;

use crate::carry::conflicts;
use crate::fault::{BookError, Fault};
pub use crate::made::Files;
use crate::sources::Sources;

pub use formulas::mathml;
pub use places::header as places;
pub use runs::{Run, block, load as load_runs, recording};
pub use solutions::ANSWERS;
pub use stats::pages;

/// A step adds its files and returns what is wrong with its sources.
type Step = fn(&Sources, &mut Files) -> Result<Vec<Fault>, BookError>;

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
    stats::step,
];

/// All of it. Commands are not run again: their recorded output is taken as it is.
pub fn expected(sources: &Sources) -> Result<(Files, Vec<Fault>), BookError> {
    let (mut files, mut faults) = (Files::new(), conflicts(sources.repository));
    for step in STEPS {
        faults.extend(step(sources, &mut files)?);
    }
    Ok((files, faults))
}

/// The first line that is not as expected.
fn difference(place: &str, found: &str, expected: &str) -> Option<Fault> {
    let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
    let message = "not as it should be now: run `cargo book generate`";
    (found != expected).then(|| Fault::at(place, same + 1, message))
}
