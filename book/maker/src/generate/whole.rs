//! A page per chapter with the files that it added or changed, whole: what a listing's heading links to, offline. They are
//! the book's last part, and no page of the summary.

use super::Files;
use crate::fault::{BookError, Fault};
use crate::fragment::{Unchanged, whole_page};
use crate::made::whole_pages;
use crate::sources::Sources;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let chapters = [&sources.repository.ground].into_iter().chain(&sources.repository.chapters);
    for (chapter, page) in chapters.zip(whole_pages(&sources.repository.root)?) {
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
