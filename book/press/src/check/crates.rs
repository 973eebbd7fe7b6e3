//! The chapters themselves: none changes more than its budget, each has one title, and all share one `main.rs`.

use crate::diff::renamed;
use crate::fault::Fault;
use crate::generate::Sources;
use crate::house::{Chapter, MANIFEST};

pub fn budgets(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for chapter in &sources.house.chapters {
        let mut wholes = sources.story.wholes.iter();
        let Some(diff) = wholes.find(|diff| diff.short == chapter.short) else { continue };
        let ((added, removed), most) = (diff.size(), chapter.about.budget);
        if added + removed > most {
            let message =
                format!("{added} lines added and {removed} removed; the budget is {most}");
            faults.push(Fault::in_file(format!("{}/{MANIFEST}", chapter.folder), message));
        }
    }
    faults
}

/// A step holds what it changes and nothing else.
pub fn steps(sources: &Sources) -> Vec<Fault> {
    let states: Vec<&Chapter> = sources.house.states().collect();
    let mut faults = Vec::new();
    for pair in states.windows(2) {
        let left = renamed(pair[0], pair[1]);
        for path in
            pair[1].own.iter().filter(|path| left.get(*path) == pair[1].files.get(*path))
        {
            let place = format!("{}/{path}", pair[1].folder);
            let message = "is as the state before it left it: remove it here";
            faults.push(Fault::in_file(place, message));
        }
    }
    faults
}

/// A chapter is called in the summary what it calls itself.
pub fn titles(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for chapter in &sources.house.chapters {
        let page = format!("{}/index.md", chapter.short);
        let title = &chapter.about.title;
        for link in sources.book.summary.links.iter().filter(|link| link.target == page) {
            if link.text != *title {
                let message =
                    format!("\"{}\" is called \"{title}\" in its Cargo.toml", link.text);
                faults.push(Fault::at(sources.book.summary.place(), link.line, message));
            }
        }
    }
    faults
}

pub fn one_main(sources: &Sources) -> Vec<Fault> {
    const MAIN: &str = "src/main.rs";
    let Some(first) = sources.house.chapters.first() else { return Vec::new() };
    let mut faults = Vec::new();
    for chapter in &sources.house.chapters {
        let place = format!("{}/{MAIN}", chapter.folder);
        let expected = renamed(first, chapter).remove(MAIN).unwrap_or_default();
        let found = chapter.files.get(MAIN).cloned().unwrap_or_default();
        if found.is_empty() || found != expected {
            let same = found.lines().zip(expected.lines()).take_while(|(a, b)| a == b).count();
            let message = format!(
                "differs from the main.rs of {} in more than the crate's name",
                first.package
            );
            faults.push(Fault::at(place, same + 1, message));
        }
    }
    faults
}
