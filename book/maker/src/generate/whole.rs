//! A page per chapter with the files that it added or changed, whole: what a listing's heading links to, offline. They are
//! the book's last part, and no page of the summary.

use std::path::Path;

use catalog::chapters;

use super::Files;
use crate::fault::{BookError, Fault};
use crate::fragment::{Unchanged, whole_page};
use crate::sources::Sources;

pub const PART: &str = "Whole files";

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

/// In their order.
pub fn pages(root: &Path) -> Result<Vec<WholePage>, BookError> {
    let mut pages = vec![WholePage::of("ground", "The ground floor")];
    for name in chapters::names(root)? {
        pages.push(WholePage::of(chapters::short_name(&name).unwrap_or(&name), &name));
    }
    Ok(pages)
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let chapters = [&sources.repository.ground].into_iter().chain(&sources.repository.chapters);
    for (chapter, page) in chapters.zip(pages(&sources.repository.root)?) {
        let (mut printed, mut unchanged) = (Vec::new(), Vec::new());
        for (path, text) in &chapter.files {
            match sources.claims.printed(&chapter.short, path) {
                Some(other) if other != chapter.short => {
                    let before = sources.repository.chapter(other);
                    let package = before.map_or(other, |before| &before.package);
                    unchanged.push(Unchanged { path, chapter: other, package });
                }
                _ => printed.push((path, text)),
            }
        }
        let text = whole_page(&page.title, &chapter.folder, &printed, &unchanged);
        files.insert(page.name, text);
    }
    Ok(Vec::new())
}
