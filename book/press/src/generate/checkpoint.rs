//! The note that a page ends with where its code compiles.

use super::{Files, Sources};
use crate::fault::{Fault, PressError};

pub fn step(_: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    let warnings = " but for warnings about code that nothing uses yet";
    files.insert("checkpoint.md".into(), note(warnings));
    // Where the chapter is complete, everything is used.
    files.insert("last-checkpoint.md".into(), note(""));
    Ok(Vec::new())
}

fn note(warnings: &str) -> String {
    format!(
        "<p class=\"checkpoint\"><strong>Checkpoint.</strong> With the changes up to here the crate compiles: \
         <code>cargo check</code> is quiet{warnings}.</p>\n"
    )
}
