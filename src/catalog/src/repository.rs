//! The repository as the book tells it: settings, chapters, ground floor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ground::error::Error;
use serde::Deserialize;

use crate::chapters;
use crate::error::problem_at;
use crate::files::{files_under, read};
use crate::hunks::diff::ChapterDiff;
use crate::library;
use crate::manifest::{self, About};

/// `book/course.json`: every number and list that a person decides, in one place.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    /// The most words a page may have.
    pub words_per_page: usize,
    /// Rust blocks in the book that are neither listings nor taken from a file.
    pub illustrations: usize,
    /// Files of the ground floor that the book prints whole.
    pub ground: Vec<String>,
    /// Chapters whose prose is still being written: their lines need no page yet. Empty when the book is whole.
    #[serde(default)]
    pub unwritten: Vec<String>,
}

/// One engine as it stands at the end of its chapter; the ground floor is told as a chapter of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chapter {
    /// `ch02`, as names in the book begin.
    pub short: String,
    /// `ch02-kv-cache`, the package and its folder.
    pub package: String,
    /// Folder relative to the repository.
    pub folder: String,
    /// What it says of itself; nothing of the ground floor.
    pub about: About,
    /// `src/main.rs` and the like, to text. Of `Cargo.toml`, what the book tells of it.
    pub files: BTreeMap<String, String>,
    /// Of a step, or a chapter on a base: the files in its own folder. The others are as the step before left them, or
    /// the base's.
    pub own: BTreeSet<String>,
    /// Of a step: the files that it has from its chapter as they are at the chapter's end.
    pub final_already: BTreeSet<String>,
    /// The package whose library it builds on; none of a chapter that is whole.
    pub base: Option<String>,
    /// Of a chapter on a base, and its steps: whether they go on from the base's library and manifest.
    pub goes_on: bool,
    /// And the files that the chapter has of its own, whatever the step has.
    pub taken: BTreeSet<String>,
    /// The engine on the way from the chapter before to this one, page by page: each a whole program.
    pub steps: Vec<Chapter>,
}

impl Chapter {
    /// The crate's name inside Rust code.
    pub fn crate_name(&self) -> String {
        self.package.replace('-', "_")
    }

    pub fn is_step(&self) -> bool {
        self.folder.contains("/steps/")
    }

    /// Of the states before this one, that which it is told against: the last; of the first on a base, the base.
    pub fn told_against<'a>(&self, before: &[&'a Chapter]) -> Option<&'a Chapter> {
        let last = before.last().copied()?;
        let is_base =
            |other: &&&Chapter| Some(&other.package) == self.base.as_ref() && !other.is_step();
        if self.base.is_none() || last.base == self.base {
            return Some(last);
        }
        before.iter().find(is_base).copied()
    }
}

#[derive(Clone, Debug)]
pub struct Repository {
    pub root: PathBuf,
    pub settings: Settings,
    /// In the order in which they build on one another.
    pub chapters: Vec<Chapter>,
    pub ground: Chapter,
}

impl Repository {
    pub fn open(root: &Path) -> Result<Repository, Error> {
        let path = root.join("book/course.json");
        let settings: Settings =
            serde_json::from_str(&read(&path)?).map_err(|e| problem_at(&path, e))?;
        let mut ground = Chapter {
            short: "ground".into(),
            package: "ground".into(),
            folder: "src/ground".into(),
            ..Chapter::default()
        };
        for file in &settings.ground {
            ground.files.insert(file.clone(), read(&root.join(&ground.folder).join(file))?);
        }
        Ok(Repository {
            root: root.to_path_buf(),
            settings,
            chapters: chapters_under(root)?,
            ground,
        })
    }

    pub fn book(&self) -> PathBuf {
        self.root.join("book/src")
    }

    /// Every engine that the book arrives at, in order: the steps of a chapter, then the chapter.
    pub fn states(&self) -> impl Iterator<Item = &Chapter> {
        self.chapters.iter().flat_map(|chapter| chapter.steps.iter().chain([chapter]))
    }

    /// What each state that is `wanted` changes in the one that it is told against, in their order.
    pub fn changes<'a>(
        &'a self,
        states: impl Iterator<Item = &'a Chapter>,
        wanted: impl Fn(&Chapter) -> bool,
    ) -> Vec<ChapterDiff> {
        let (mut changes, mut before) = (Vec::new(), Vec::new());
        for state in states {
            if wanted(state) {
                changes.push(ChapterDiff::between(state.told_against(&before), state));
            }
            before.push(state);
        }
        changes
    }

    /// A chapter (`ch03`), one of its steps (`ch03-lanes`), or the ground floor.
    pub fn chapter(&self, short: &str) -> Option<&Chapter> {
        self.states().chain([&self.ground]).find(|chapter| chapter.short == short)
    }

    /// A chapter named in full (`ch02-kv-cache`) or in short (`ch02`), or a step.
    pub fn chapter_named(&self, name: &str) -> Option<&Chapter> {
        self.chapters.iter().find(|chapter| chapter.package == name).or(self.chapter(name))
    }
}

/// The files of a chapter under the name of the one that copies it: the book mentions the renaming once, so it is in
/// no hunk. A package's description goes with its name. A library on top of another is not made of that one's unless it
/// goes on from there: it begins anew, and so does its manifest. What `start` puts into both of them is in no hunk either.
/// Of a module that a chapter on a base has of its own, it has all files, and none comes from the base.
pub fn renamed(before: &Chapter, after: &Chapter) -> BTreeMap<String, String> {
    let description = |chapter: &Chapter| {
        let manifest = chapter.files.get(MANIFEST)?;
        manifest.lines().find(|line| line.starts_with("description = ")).map(str::to_string)
    };
    let mut files = BTreeMap::new();
    let first = after.base.as_ref().filter(|_| before.base != after.base);
    let modules = library::modules_of(after.taken.iter().map(String::as_str));
    let hidden = |path: &str| {
        let is_own = library::module_of(path).is_some_and(|module| modules.contains(module));
        let has = |chapter: &Chapter| chapter.taken.contains(path);
        before.package != after.package && is_own && !has(after) && !has(before)
    };
    for (path, text) in before.files.iter().filter(|(path, _)| !hidden(path)) {
        if before.base != after.base
            && !after.goes_on
            && [MANIFEST, LIBRARY].contains(&path.as_str())
        {
            continue;
        }
        let mut text = text.clone();
        if path == MANIFEST
            && let (Some(old), Some(new)) = (description(before), description(after))
        {
            text = text.replace(&old, &new);
        }
        let text = text
            .replace(&before.package, &after.package)
            .replace(&before.crate_name(), &after.crate_name());
        let text = match (path.as_str(), first) {
            (LIBRARY, Some(base)) => library::going_on(&text, base, &modules),
            (LIBRARY, None) => library::taking_less(&text, &modules),
            (MANIFEST, Some(base)) => manifest::needing(&text, base).unwrap_or(text),
            _ => text,
        };
        files.insert(path.clone(), text);
    }
    files
}

fn chapters_under(root: &Path) -> Result<Vec<Chapter>, Error> {
    let mut loaded: Vec<Chapter> = Vec::new();
    for chapter in chapters::all(root)? {
        let base = chapter.about.base.clone();
        let base = loaded.iter().find(|other| Some(&other.short) == base.as_ref());
        let mut chapter = load_chapter(root, chapter, base)?;
        let before: Vec<&Chapter> = loaded.iter().collect();
        chapter.steps = load_steps(root, chapter.told_against(&before), &chapter)?;
        loaded.push(chapter);
    }
    Ok(loaded)
}

/// The folders in a chapter's `steps`, in the order of their numbers: each holds what it changes in the one before it,
/// the first in the chapter before.
fn load_steps(
    root: &Path,
    before: Option<&Chapter>,
    chapter: &Chapter,
) -> Result<Vec<Chapter>, Error> {
    let folder = root.join(&chapter.folder).join("steps");
    let mut changes: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut final_already: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in if folder.is_dir() { files_under(&folder)? } else { Vec::new() } {
        let text = read(&folder.join(&path))?;
        let refused = |reason: &str| Err(problem_at(&folder.join(&path), reason));
        let (name, file) = path.split_once('/').unwrap_or_default();
        if file == FINAL {
            let listed: BTreeSet<String> = text.lines().map(String::from).collect();
            if let Some(unknown) = listed.iter().find(|file| !chapter.files.contains_key(*file))
            {
                return refused(&format!("the chapter has no file '{unknown}'"));
            }
            changes.entry(name.into()).or_default();
            final_already.insert(name.into(), listed);
        } else if is_told(file) {
            changes.entry(name.into()).or_default().insert(file.into(), text);
        } else {
            return refused(&format!(
                "expected steps/NN-name/src/..., steps/NN-name/Cargo.toml or steps/NN-name/{FINAL}"
            ));
        }
    }
    let mut steps: Vec<Chapter> = Vec::new();
    for (name, mut files) in changes {
        let own = files.keys().cloned().collect();
        let listed = final_already.remove(&name).unwrap_or_default();
        files.extend(listed.iter().map(|path| (path.clone(), chapter.files[path].clone())));
        let word = name.split_once('-').map_or(name.as_str(), |(_, word)| word);
        let mut step = Chapter {
            short: format!("{}-{word}", chapter.short),
            package: chapter.package.clone(),
            folder: format!("{}/steps/{name}", chapter.folder),
            files: chapter.files.clone(), // for what `renamed` asks of them
            own,
            final_already: listed,
            base: chapter.base.clone(),
            goes_on: chapter.goes_on,
            taken: chapter.taken.clone(),
            ..Chapter::default()
        };
        let last = steps.last().or(before);
        let left = last.map(|last| renamed(last, &step)).unwrap_or_default();
        step.files = left.into_iter().chain(files).collect();
        steps.push(step);
    }
    Ok(steps)
}

fn load_chapter(
    root: &Path,
    chapter: chapters::Chapter,
    base: Option<&Chapter>,
) -> Result<Chapter, Error> {
    let folder = format!("chapters/{}", chapter.name);
    let path = root.join(&folder);
    let mut files = BTreeMap::new();
    for file in files_under(&path)?.into_iter().filter(|file| is_told(file)) {
        let text = read(&path.join(&file))?;
        let wrong = |reason: String| problem_at(&path.join(&file), reason);
        let told = told(&file, text.clone()).map_err(wrong)?;
        if !text.starts_with(&told) {
            let reason = "expected [dev-dependencies] and [package.metadata.course] after all that a reader types";
            return Err(wrong(reason.into()));
        }
        files.insert(file, told);
    }
    let mut loaded = Chapter {
        short: chapter.short,
        package: chapter.name,
        folder,
        about: chapter.about,
        files,
        ..Chapter::default()
    };
    if let Some(base) = base {
        loaded.base = Some(base.package.clone());
        loaded.goes_on = loaded.about.goes_on;
        loaded.own = loaded.files.keys().cloned().collect();
        loaded.taken = loaded.own.clone();
        loaded.files = renamed(base, &loaded).into_iter().chain(loaded.files).collect();
    }
    Ok(loaded)
}

/// In a step's folder, instead of copies: the files that are already as the chapter leaves them, one a line.
pub const FINAL: &str = "as-in-src";
pub const MANIFEST: &str = "Cargo.toml";
pub const LIBRARY: &str = "src/lib.rs";
pub const PROGRAM: &str = "src/main.rs";

/// Whether the book tells this file of a chapter's folder.
pub fn is_told(file: &str) -> bool {
    file == MANIFEST || file.starts_with("src/")
}

/// What the book tells of a chapter's file: all of it, but for what a manifest says to tools.
pub fn told(file: &str, text: String) -> Result<String, String> {
    if file == MANIFEST { manifest::told(&text) } else { Ok(text) }
}
