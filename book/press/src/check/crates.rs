//! The chapters themselves: none changes more than its budget, each has one title, and all share one `main.rs`.

use crate::diff::renamed;
use crate::fault::Fault;
use crate::generate::Sources;
use crate::house::{Chapter, MANIFEST};
use crate::title;

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

/// A chapter is called in the summary and on its first page what it calls itself, with its number.
pub fn titles(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    let expected =
        |title: &str| format!("expected \"{title}\", after its number and Cargo.toml");
    for chapter in &sources.house.chapters {
        let path = format!("{}/index.md", chapter.short);
        let listed = title::in_summary(&chapter.short, &chapter.about.title);
        let links = sources.book.summary.links.iter().filter(|link| link.target == path);
        for link in links.filter(|link| link.text != listed) {
            let place = sources.book.summary.place();
            faults.push(Fault::at(place, link.line, expected(&listed)));
        }
        let heading = title::on_page(&chapter.short, &chapter.about.title);
        let page = sources.book.page(&path);
        faults.extend(
            page.filter(|page| page.title() != Some(&heading))
                .map(|page| Fault::at(page.place(), 1, expected(&heading))),
        );
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
