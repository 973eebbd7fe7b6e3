//! A page per chapter with the files that it added or changed, whole: what a listing's heading links to, offline.

use super::Files;
use crate::fault::{Fault, PressError};
use crate::fragment::{Unchanged, whole_page};
use crate::sources::Sources;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    for chapter in sources.house.chapters.iter().chain([&sources.house.ground]) {
        let title =
            if chapter.short == "ground" { "The ground floor" } else { &chapter.package };
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
        files.insert(
            format!("whole/{}.md", chapter.short),
            whole_page(title, &chapter.folder, &printed, &unchanged),
        );
    }
    Ok(Vec::new())
}
