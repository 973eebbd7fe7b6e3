//! What the side rooms promise: that the main line goes on without each until the page that it names.

use std::collections::BTreeSet;

use catalog::rooms::marks;

use crate::fault::Fault;
use crate::page::Page;
use crate::rooms::{boxed, main_line};
use crate::sources::Sources;

pub fn rooms(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for page in sources.book.written() {
        let folder = page.path.split('/').next().unwrap_or_default();
        let title = |name: &str| {
            let later = sources.book.written().skip_while(|one| one.path != page.path).skip(1);
            let path = format!("{folder}/{name}.md");
            later.filter(|page| page.path == path).find_map(Page::title).map(String::from)
        };
        let wrong = boxed(&page.path, &page.source, title).err();
        faults.extend(wrong.map(|(line, why)| Fault::at(page.place(), line, why)));
    }
    if !faults.is_empty() {
        return faults;
    }
    for chapter in chapters(sources) {
        let Some((rooms, why)) = main_line(sources, &chapter).1 else { continue };
        for page in sources.book.written() {
            for mark in marks(&page.source).unwrap_or_default() {
                let name = mark.name(&page.path);
                if rooms.contains(&name) {
                    let needed_by = mark.needed_by.as_deref().unwrap_or("nothing");
                    let message =
                        format!("{name} says that it is needed by {needed_by}, but {why}");
                    faults.push(Fault::at(page.place(), mark.line, message));
                }
            }
        }
    }
    faults
}

/// Those with side rooms.
pub fn chapters(sources: &Sources) -> BTreeSet<String> {
    let with_rooms = sources.book.written().filter(|page| !page.rooms().is_empty());
    let chapter = |page: &Page| Some(page.path.split_once('/')?.0.to_string());
    with_rooms.filter_map(chapter).collect()
}
