//! A page per chapter with the files that it added or changed, whole: what a listing's heading links to, offline. They are
//! the book's last part, and no page of the summary.

use std::path::Path;

use course::chapters;

use super::Files;
use crate::fault::{Fault, PressError};
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
pub fn pages(root: &Path) -> Result<Vec<WholePage>, PressError> {
    let mut pages = vec![WholePage::of("ground", "The ground floor")];
    for name in chapters::names(root)? {
        pages.push(WholePage::of(chapters::short_name(&name).unwrap_or(&name), &name));
    }
    Ok(pages)
}

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    let chapters = [&sources.house.ground].into_iter().chain(&sources.house.chapters);
    for (chapter, page) in chapters.zip(pages(&sources.house.root)?) {
        let (mut printed, mut unchanged) = (Vec::new(), Vec::new());
        for (path, text) in &chapter.files {
            match sources.story.printed(&chapter.short, path) {
                Some(other) if other != chapter.short => {
                    let before = sources.house.chapter(other);
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
