//! Every changed line is shown once, and a page that shows some ends where they compile.

use std::collections::{BTreeMap, BTreeSet};

use catalog::examples;

use crate::address::resolve;
use crate::fault::Fault;
use crate::page::Page;
use crate::proofread::rooms::chapters;
use crate::rooms::{Step, main_line};
use crate::sources::Sources;

/// Hunks that no page shows, or more than one claim does.
pub fn claims(sources: &Sources) -> Vec<Fault> {
    let claimed = sources.claims.claimed();
    let mut faults = Vec::new();
    for diff in &sources.claims.diffs {
        let unwritten = sources.repository.settings.unwritten.contains(&diff.short);
        for hunk in diff.hunks() {
            let claims = claimed.get(hunk.name.as_str()).map(Vec::as_slice).unwrap_or_default();
            match claims {
                [] if unwritten => {}
                [] => {
                    let size = format!("{} added, {} removed", hunk.added, hunk.removed);
                    let message = format!("no page shows {} (lines: {size})", hunk.name);
                    faults.push(Fault::at(&hunk.file, hunk.line, message));
                }
                [_] => {}
                [first, others @ ..] => faults.extend(others.iter().map(|other| {
                    let place = format!("book/src/{}", other.page);
                    let message = format!(
                        "{} is already shown at book/src/{}:{}",
                        hunk.name, first.page, first.line
                    );
                    Fault::at(place, other.line, message)
                })),
            }
        }
    }
    faults
}

/// What a page ends with that shows only a part of a change: the next page of the chapter goes on with it.
const UNFINISHED: &str = "generated/unfinished.md";

/// A page that shows hunks of a chapter has a checkpoint after the last of them, or says that it is unfinished and a
/// later page of the chapter has one.
pub fn checkpoints(sources: &Sources) -> Vec<Fault> {
    let mut last = BTreeMap::new();
    for claim in sources.claims.all.iter().filter(|claim| claim.chapter != "ground") {
        last.insert((&claim.page, &claim.chapter), claim.line);
    }
    let order = |page: &str| sources.book.pages.iter().position(|known| known.path == page);
    let ends = |page: &str, chapter: &str, line: usize| {
        let unfinished =
            sources.book.page(page).is_some_and(|page| says_unfinished(page, line));
        sources.claims.checkpoints.iter().any(|point| {
            let here = point.page == page && point.line > line;
            let later = unfinished && order(&point.page) > order(page);
            point.chapter == chapter && (here || later)
        })
    };
    let missing =
        last.into_iter().filter(|((page, chapter), line)| !ends(page, chapter, *line));
    missing
        .map(|((page, chapter), line)| {
            let message =
                format!("no checkpoint after this last hunk of {chapter} on the page");
            Fault::at(format!("book/src/{page}"), line, message)
        })
        .collect()
}

fn says_unfinished(page: &Page, after: usize) -> bool {
    page.includes().into_iter().any(|(target, line)| {
        line > after && resolve(&page.path, &target).as_deref() == Some(UNFINISHED)
    })
}

/// A chapter's files at a checkpoint, and where the checkpoint is.
pub struct State {
    pub place: String,
    pub chapter: String,
    pub files: BTreeMap<String, String>,
}

pub fn checkpoint_states(sources: &Sources) -> Vec<State> {
    let mut examples = BTreeMap::<String, BTreeSet<String>>::new();
    let states = sources.claims.checkpoints.iter().filter_map(|point| {
        let mut files = sources.claims.diff(&point.chapter)?.apply(&point.applied);
        let package = &sources.repository.chapter(&point.chapter)?.package;
        let named = examples.entry(package.clone()).or_default();
        named.extend(examples_after(sources.book.page(&point.page)?, point.line));
        files.extend(examples_of(sources, &point.chapter, &*named));
        let place = format!("book/src/{}:{}", point.page, point.line);
        Some(State { place, chapter: point.chapter.clone(), files })
    });
    states.chain(without_rooms(sources)).collect()
}

/// The same of readers who haven't taken the side rooms.
fn without_rooms(sources: &Sources) -> impl Iterator<Item = State> {
    let of_chapter = move |chapter: String| {
        let steps = main_line(sources, &chapter).0.into_iter();
        let steps = steps.filter(|step| step.compiles && !step.without.is_empty());
        let state = move |mut step: Step| {
            step.files.extend(examples_of(sources, &chapter, &step.examples));
            let place =
                format!("book/src/{}.md without {}", step.page, step.without.join(", "));
            State { place, chapter: chapter.clone(), files: step.files }
        };
        steps.map(state).collect::<Vec<_>>()
    };
    chapters(sources).into_iter().flat_map(of_chapter)
}

/// The examples of these names. What is not there does not compile: an empty file has no `main`.
fn examples_of<'a>(
    sources: &Sources,
    chapter: &str,
    names: impl IntoIterator<Item = &'a String>,
) -> Vec<(String, String)> {
    let package = sources.repository.chapter(chapter).map(|chapter| &chapter.package);
    let folder = sources.repository.root.join("chapters").join(package.map_or("", |name| name));
    let example = |name: &String| {
        let path = format!("examples/{name}.rs");
        let text = std::fs::read_to_string(folder.join(&path)).unwrap_or_default();
        (path, text)
    };
    names.into_iter().map(example).collect()
}

/// The examples that a page lets readers run on code of their own, from this checkpoint to the next.
fn examples_after(page: &Page, line: usize) -> BTreeSet<String> {
    let lines = page.source.lines().skip(line);
    let lines = lines.take_while(|line| !line.contains("checkpoint.md}}"));
    lines.flat_map(examples::named_in).collect()
}
