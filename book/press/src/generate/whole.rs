//! A page per chapter with its files whole: what a listing's heading links to, offline.

use super::{Files, Sources};
use crate::fault::{Fault, PressError};
use crate::fragment::whole_page;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, PressError> {
    for chapter in sources.house.chapters.iter().chain([&sources.house.ground]) {
        let title =
            if chapter.short == "ground" { "The ground floor" } else { &chapter.package };
        let ordered: Vec<_> = chapter.files.iter().collect();
        files.insert(
            format!("whole/{}.md", chapter.short),
            whole_page(title, &chapter.folder, &ordered),
        );
    }
    Ok(Vec::new())
}
