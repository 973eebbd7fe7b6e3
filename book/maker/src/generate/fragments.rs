//! The listings that pages claim, and those they show again.

use std::collections::{BTreeMap, BTreeSet};

use super::Files;
use crate::book::resolve;
use crate::diff::ChapterDiff;
use crate::fault::{BookError, Fault, files_under, read};
use crate::fragment::{Place, again_fragment, diff_fragment};
use crate::repository::Chapter;
use crate::select::select;
use crate::sources::Sources;

pub fn step(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let mut seen: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for claim in &sources.claims.all {
        let Some(diff) = sources.claims.diff(&claim.chapter) else { continue };
        let seen = seen.entry(&claim.chapter).or_default();
        if let Ok((file, hunks)) = select(diff, &claim.target) {
            // A file that this chapter removes is printed by one before it.
            let printed = sources.claims.printed(&claim.chapter, &file.path);
            let printed = printed.unwrap_or(&claim.chapter);
            let place = Place { page: &claim.page, printed, seen };
            let text = diff_fragment(diff, file, &claim.target, &hunks, &place);
            files.entry(format!("{}.md", claim.target)).or_insert(text);
            seen.extend(hunks);
        }
    }
    again(sources, files)
}

/// `generated/again/ch02/attention.rs/fn-attend.md`: code as it stands, that some other page explains.
fn again(sources: &Sources, files: &mut Files) -> Result<Vec<Fault>, BookError> {
    let mut faults = Vec::new();
    let mut whole = BTreeMap::new();
    for page in sources.book.written() {
        for (target, line) in page.includes() {
            let Some(path) = resolve(&page.path, &target) else { continue };
            let Some(name) =
                path.strip_prefix("generated/again/").and_then(|name| name.strip_suffix(".md"))
            else {
                continue;
            };
            let short = name.split('/').next().unwrap_or(name);
            let chapter = if short == "ground" {
                Some(all_of_ground(sources)?)
            } else {
                sources.repository.chapter(short).cloned().map(its_own)
            };
            let Some(chapter) = chapter else {
                faults.push(Fault::at(
                    page.place(),
                    line,
                    format!("there is no chapter '{short}'"),
                ));
                continue;
            };
            let diff = whole
                .entry(short.to_string())
                .or_insert_with(|| ChapterDiff::between(None, &chapter));
            match select(diff, name) {
                Ok((file, hunks)) => {
                    let printed = sources.claims.printed(short, &file.path);
                    let place = printed.map(|printed| (page.path.as_str(), printed));
                    let text = again_fragment(diff, file, name, &hunks, place);
                    files.insert(format!("again/{name}.md"), text);
                }
                Err(reason) => faults.push(Fault::at(page.place(), line, reason)),
            }
        }
    }
    Ok(faults)
}

/// What a chapter takes from its base is shown again from there.
fn its_own(mut chapter: Chapter) -> Chapter {
    if chapter.base.is_some() && !chapter.is_step() {
        let own = &chapter.own;
        chapter.files.retain(|path, _| own.contains(path));
    }
    chapter
}

/// Also the tools that the book describes and does not print.
fn all_of_ground(sources: &Sources) -> Result<Chapter, BookError> {
    let mut ground = sources.repository.ground.clone();
    let folder = sources.repository.root.join(&ground.folder);
    for file in files_under(&folder)?.into_iter().filter(|file| file.ends_with(".rs")) {
        ground.files.insert(file.clone(), read(&folder.join(&file))?);
    }
    Ok(ground)
}
