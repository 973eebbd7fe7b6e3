//! The chapters themselves: none changes more than its budget, and all share one `main.rs`.

use crate::diff::renamed;
use crate::fault::Fault;
use crate::generate::Sources;

pub fn budgets(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for diff in sources.story.diffs.iter().filter(|diff| diff.short != "ground") {
        let (added, removed) = diff.size();
        match sources.course.settings.budgets.get(&diff.short) {
            None => faults.push(Fault::in_file(
                "book/course.json",
                format!("no budget of lines for {}", diff.short),
            )),
            Some(most) if added + removed > *most => {
                let message =
                    format!("{added} lines added and {removed} removed; the budget is {most}");
                faults.push(Fault::in_file(&diff.folder, message));
            }
            Some(_) => {}
        }
    }
    faults
}

pub fn one_main(sources: &Sources) -> Vec<Fault> {
    const MAIN: &str = "src/main.rs";
    let Some(first) = sources.course.chapters.first() else { return Vec::new() };
    let mut faults = Vec::new();
    for chapter in &sources.course.chapters {
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
