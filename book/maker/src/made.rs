//! What is made for the book, by name.

use std::collections::BTreeMap;
use std::path::Path;

use catalog::chapters;

use crate::fault::BookError;

/// What a page includes it as, after `generated/`, to text.
pub type Files = BTreeMap<String, String>;

/// The last part of the book, which is in no summary.
pub const WHOLE_FILES: &str = "Whole files";

/// A page with a chapter's files, whole.
pub struct WholePage {
    pub title: String,
    /// Among what is made: `whole/ch02.md`.
    pub name: String,
}

impl WholePage {
    fn of(short: &str, title: &str) -> WholePage {
        WholePage { title: title.into(), name: format!("whole/{short}.md") }
    }

    /// As links lead to it: `generated/whole/ch02.md`.
    pub fn path(&self) -> String {
        format!("generated/{}", self.name)
    }
}

/// The pages of whole files, in their order.
pub fn whole_pages(root: &Path) -> Result<Vec<WholePage>, BookError> {
    let mut pages = vec![WholePage::of("ground", "The ground floor")];
    for name in chapters::names(root)? {
        pages.push(WholePage::of(chapters::short_name(&name).unwrap_or(&name), &name));
    }
    Ok(pages)
}
