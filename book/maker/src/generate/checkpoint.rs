//! The note that a page ends with: where its code compiles, or that it does not yet.

use super::Files;
use crate::fault::{BookError, Fault};
use crate::sources::Sources;

pub fn step(_: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let warnings = " but for warnings about code that nothing uses yet";
    files.insert("checkpoint.md".into(), note(warnings));
    // Where the chapter is complete, everything is used.
    files.insert("last-checkpoint.md".into(), note(""));
    files.insert("unfinished.md".into(), UNFINISHED.into());
    Ok(Vec::new())
}

/// For a page in the middle of a change that compiles only as a whole.
const UNFINISHED: &str = "<p class=\"checkpoint\"><strong>No checkpoint here.</strong> We are in the middle of one \
                          change: the crate compiles again at the next checkpoint, and until then \
                          <code>cargo check</code> lists what is left to do.</p>\n";

fn note(warnings: &str) -> String {
    format!(
        "<p class=\"checkpoint\"><strong>Checkpoint.</strong> With the changes up to here the crate compiles: \
         <code>cargo check</code> is quiet{warnings}.</p>\n"
    )
}
