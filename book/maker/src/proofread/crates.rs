//! The chapters themselves: none changes more than its budget, each has one title, and all share one `main.rs`.

use std::collections::BTreeMap;

use catalog::change::CHANGE;

use crate::claims::Claim;
use crate::fault::Fault;
use crate::repository::{Chapter, FINAL, LIBRARY, MANIFEST, PROGRAM, renamed};
use crate::select::select;
use crate::sources::Sources;
use crate::title;

pub fn budgets(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for chapter in &sources.repository.chapters {
        let mut wholes = sources.claims.wholes.iter();
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
    let states: Vec<&Chapter> = sources.repository.states().collect();
    let mut faults = Vec::new();
    for (at, step) in states.iter().enumerate().filter(|(_, state)| state.is_step()) {
        let left = step.told_against(&states[..at]).map(|before| renamed(before, step));
        let left = left.unwrap_or_default();
        faults.extend(without_need(step, &left, "the state before it left it: remove it here"));
        let chapter = sources.repository.chapter_named(&step.package).unwrap_or(step);
        let how = format!("its chapter leaves it: name it in {FINAL} instead");
        faults.extend(without_need(step, &chapter.files, &how));
        for path in &step.final_already {
            if left.get(path) == step.files.get(path) {
                let (steps, name) = step.folder.rsplit_once('/').unwrap_or_default();
                let place = format!("{steps}/{FINAL}");
                let message =
                    format!("{name}/{path} is as the state before it left it: remove the line");
                faults.push(Fault::in_file(place, message));
            }
        }
    }
    faults
}

/// A chapter on a base holds what it changes and adds, and nothing else; and all that it holds is compiled.
pub fn on_a_base(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    for chapter in &sources.repository.chapters {
        let base =
            chapter.base.as_ref().and_then(|base| sources.repository.chapter_named(base));
        let Some(base) = base else { continue };
        let mut left = renamed(base, chapter);
        left.retain(|path, text| path != PROGRAM && !names_another(chapter, path, text));
        faults.extend(without_need(
            chapter,
            &left,
            &format!("{} has it: remove it here", base.package),
        ));
        let mut own = chapter.files.clone();
        own.retain(|path, _| chapter.own.contains(path));
        for path in own.keys() {
            if let Some(expected) = undeclared(&own, path) {
                let message = format!("is not compiled: expected {expected} of this chapter");
                faults.push(Fault::in_file(format!("{}/{path}", chapter.folder), message));
            }
        }
    }
    faults
}

/// Whether this file of the base's would be another one here, as it stands: it names a module that the chapter has of its
/// own, whose types are others than the base's.
fn names_another(chapter: &Chapter, path: &str, text: &str) -> bool {
    let module =
        |path: &str| path.strip_prefix("src/")?.split(['/', '.']).next().map(String::from);
    let others = chapter.own.iter().filter_map(|own| module(own));
    others.filter(|other| Some(other) != module(path).as_ref()).any(|other| {
        let named = format!("crate::{other}");
        let ends = |rest: &str| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
        text.match_indices(&named).any(|(at, _)| ends(&text[at + named.len()..]))
    })
}

/// Files of its own that are as they would be without.
fn without_need(chapter: &Chapter, left: &BTreeMap<String, String>, how: &str) -> Vec<Fault> {
    let same = |path: &&String| left.get(*path) == chapter.files.get(*path);
    let fault = |path: &String| {
        let form = if chapter.changes.contains_key(path) { CHANGE } else { "" };
        Fault::in_file(format!("{}/{path}{form}", chapter.folder), format!("is as {how}"))
    };
    chapter.own.iter().filter(same).map(fault).collect()
}

/// A page that shows a file ends where that file is compiled: `cargo check` says nothing of one that is in no module.
pub fn in_a_module(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    let mut shown: BTreeMap<(&str, &str), Vec<&Claim>> = BTreeMap::new();
    for claim in sources.claims.all.iter().filter(|claim| claim.chapter != "ground") {
        shown.entry((&claim.page, &claim.chapter)).or_default().push(claim);
    }
    for ((page, chapter), claims) in shown {
        let Some(diff) = sources.claims.diff(chapter) else { continue };
        let all = &sources.claims.all;
        let upto = all.iter().rposition(|claim| claim.page == page).map_or(0, |at| at + 1);
        let applied = all[..upto].iter().filter(|claim| claim.chapter == chapter);
        let files = diff.apply(&applied.flat_map(|claim| claim.hunks.clone()).collect());
        for claim in claims {
            let Ok((file, _)) = select(diff, &claim.target) else { continue };
            let missing = files.get(&file.path).and_then(|_| undeclared(&files, &file.path));
            if let Some(expected) = missing {
                let message = format!(
                    "{} is not compiled: expected {expected}, by the end of this page",
                    file.path
                );
                faults.push(Fault::at(format!("book/src/{}", claim.page), claim.line, message));
            }
        }
    }
    faults
}

/// What is missing for a file to be compiled with its crate: the module that it is, or that one above it is.
fn undeclared(files: &BTreeMap<String, String>, path: &str) -> Option<String> {
    let (parents, name) = declared_in(path)?;
    let end = format!("mod {name};");
    let declares = |parent: &&String| {
        files.get(*parent).is_some_and(|text| text.lines().any(|line| line.ends_with(&end)))
    };
    match parents.iter().find(declares) {
        Some(parent) => undeclared(files, parent),
        None => Some(format!("`{end}` in {}", parents.join(" or "))),
    }
}

/// The module that a file is, and where it may be declared; none of a crate's own two.
fn declared_in(path: &str) -> Option<(Vec<String>, &str)> {
    let inside = path.strip_prefix("src/")?.strip_suffix(".rs")?;
    let inside = inside.strip_suffix("/mod").unwrap_or(inside);
    match inside.rsplit_once('/') {
        Some((folder, name)) => {
            Some((vec![format!("src/{folder}/mod.rs"), format!("src/{folder}.rs")], name))
        }
        None if matches!(inside, "lib" | "main") => None,
        None => Some((vec![LIBRARY.into()], inside)),
    }
}

/// A chapter is called in the summary and on its first page what it calls itself, with its number.
pub fn titles(sources: &Sources) -> Vec<Fault> {
    let mut faults = Vec::new();
    let expected =
        |title: &str| format!("expected \"{title}\", after its number and Cargo.toml");
    for chapter in &sources.repository.chapters {
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

/// What a reader notices of a chapter is in `CHANGELOG.md`, in the list of what the engine has learned: a line each, in order.
pub fn changelog(sources: &Sources) -> Vec<Fault> {
    const FILE: &str = "CHANGELOG.md";
    // Without the file no chapter is in it.
    let text = std::fs::read_to_string(sources.repository.root.join(FILE)).unwrap_or_default();
    let list = text.split("\n## ").find(|part| part.starts_with("The engine so far\n"));
    let lines =
        list.unwrap_or_default().lines().filter_map(|line| line.strip_prefix("- Chapter "));
    let found: Vec<&str> = lines.filter_map(|line| Some(line.split_once(": ")?.0)).collect();
    let told =
        sources.repository.chapters.iter().filter(|chapter| chapter.about.builds.is_some());
    let numbers =
        told.map(|chapter| chapter.short.trim_start_matches("ch").parse().unwrap_or(0));
    let expected: Vec<String> = numbers.map(|number: usize| number.to_string()).collect();
    if found == expected {
        return Vec::new();
    }
    let message = format!(
        "\"The engine so far\" has chapters {found:?}, and those that are told are {expected:?}: expected a line \"- Chapter N: ...\" for each"
    );
    vec![Fault::in_file(FILE, message)]
}

pub fn one_main(sources: &Sources) -> Vec<Fault> {
    let Some(first) = sources.repository.chapters.first() else { return Vec::new() };
    let mut faults = Vec::new();
    for chapter in &sources.repository.chapters {
        let place = format!("{}/{PROGRAM}", chapter.folder);
        let expected = renamed(first, chapter).remove(PROGRAM).unwrap_or_default();
        let found = chapter.files.get(PROGRAM).cloned().unwrap_or_default();
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
