//! The repository as the book tells it: settings, chapters, ground floor.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ground::error::Error;
use serde::Deserialize;

use crate::change::{CHANGE, changed_by};
use crate::chapters;
use crate::error::problem_at;
use crate::files::{files_under, read};
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
    /// Of a step: those of its own files that stand there as a change, and it.
    pub changes: BTreeMap<String, String>,
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
            chapters: chapters_under(root, None)?,
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

/// A state that somebody edited, while the changes in later steps are still those of what it was.
pub struct Edit<'a> {
    /// The state, or a chapter by its package.
    pub state: &'a str,
    /// All chapters before the edit.
    pub earlier: &'a [Chapter],
    /// Whether later states are to be read as if it had not been made.
    pub is_undone: bool,
    /// Once they are read, the state as it was and as it is.
    pub found: Option<(Chapter, Chapter)>,
}

impl Edit<'_> {
    fn was(&self, state: &Chapter) -> Option<&Chapter> {
        let mut states = self.earlier.iter().flat_map(|it| it.steps.iter().chain([it]));
        states.find(|was| (&was.short, &was.package) == (&state.short, &state.package))
    }

    /// Finds the edited state, and puts what it was in its place. `left` is what the state before left to it.
    fn meet(&mut self, state: &mut Chapter, left: &BTreeMap<String, String>) {
        let is_named = state.short == self.state;
        if !is_named && (state.is_step() || state.package != self.state) {
            return;
        }
        let was = self.was(state);
        let mut files = was.map_or(left, |was| &was.files).clone();
        if state.is_step() || state.base.is_some() {
            // What it has no file of its own for is not its change.
            let own = |path: &String| {
                let had = !state.is_step() && was.is_some_and(|was| was.own.contains(path));
                had || state.own.contains(path)
            };
            files.retain(|path, _| own(path));
            let others = state.files.iter().filter(|(path, _)| !own(path));
            files.extend(others.map(|(path, text)| (path.clone(), text.clone())));
        }
        let was = Chapter { files, ..state.clone() };
        self.found = Some((was.clone(), state.clone()));
        if self.is_undone {
            *state = was;
        }
    }

    /// What a change made that stands as it stood then.
    fn made(&self, step: &Chapter, path: &str, change: &String) -> Option<String> {
        let was = self.was(step)?;
        was.files.get(path).filter(|_| was.changes.get(path) == Some(change)).cloned()
    }
}

/// All chapters. A change that does not fit an edit is still what it was before.
pub fn chapters_under(root: &Path, mut edit: Option<&mut Edit>) -> Result<Vec<Chapter>, Error> {
    let mut loaded: Vec<Chapter> = Vec::new();
    for chapter in chapters::all(root)? {
        let base = chapter.about.base.clone();
        let base = loaded.iter().find(|other| Some(&other.short) == base.as_ref());
        let mut chapter = load_chapter(root, chapter, base)?;
        let before: Vec<&Chapter> = loaded.iter().collect();
        let before = chapter.told_against(&before);
        chapter.steps = load_steps(root, before, &chapter, edit.as_deref_mut())?;
        if let Some(edit) = &mut edit {
            edit.meet(&mut chapter, &BTreeMap::new());
        }
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
    mut edit: Option<&mut Edit>,
) -> Result<Vec<Chapter>, Error> {
    let folder = root.join(&chapter.folder).join("steps");
    let mut found: BTreeMap<String, BTreeMap<String, String>> = BTreeMap::new();
    let mut final_already: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for path in if folder.is_dir() { files_under(&folder)? } else { Vec::new() } {
        let text = read(&folder.join(&path))?;
        let refused = |reason: &str| Err(problem_at(&folder.join(&path), reason));
        if path == FINAL {
            for line in text.lines() {
                let (name, file) = line.split_once('/').unwrap_or_default();
                if !chapter.files.contains_key(file) {
                    return refused(&format!("the chapter has no file '{file}'"));
                }
                found.entry(name.into()).or_default();
                final_already.entry(name.into()).or_default().insert(file.into());
            }
            continue;
        }
        let (name, file) = path.split_once('/').unwrap_or_default();
        if !is_told(file) {
            return refused(&format!(
                "expected steps/NN-name/src/..., steps/NN-name/Cargo.toml or steps/{FINAL}"
            ));
        }
        found.entry(name.into()).or_default().insert(file.into(), text);
    }
    let mut steps: Vec<Chapter> = Vec::new();
    for (name, found) in found {
        let word = name.split_once('-').map_or(name.as_str(), |(_, word)| word);
        let mut step = Chapter {
            short: format!("{}-{word}", chapter.short),
            package: chapter.package.clone(),
            folder: format!("{}/steps/{name}", chapter.folder),
            files: chapter.files.clone(), // for what `renamed` asks of them
            final_already: final_already.remove(&name).unwrap_or_default(),
            base: chapter.base.clone(),
            goes_on: chapter.goes_on,
            taken: chapter.taken.clone(),
            ..Chapter::default()
        };
        let last = steps.last().or(before);
        let left = last.map(|last| renamed(last, &step)).unwrap_or_default();
        step.files = left.clone();
        for (file, mut text) in found {
            let wrong = |reason: &str| problem_at(&folder.join(&name).join(&file), reason);
            let path = file.strip_suffix(CHANGE).unwrap_or(&file);
            if path != file {
                let made = match left.get(path) {
                    Some(old) => changed_by(old, &text),
                    None => Err("the state before has no such file".into()),
                };
                let before_edit = || edit.as_ref()?.made(&step, path, &text);
                let made = made.or_else(|reason| before_edit().ok_or(reason));
                let made = made.map_err(|reason| {
                    wrong(&format!(
                        "{reason} (`cargo book carry` brings an edit to later steps)"
                    ))
                })?;
                step.changes.insert(path.into(), std::mem::replace(&mut text, made));
            }
            if !step.own.insert(path.into()) {
                return Err(wrong("the file is there whole as well: remove one of the two"));
            }
            step.files.insert(path.into(), text);
        }
        for path in &step.final_already {
            step.files.insert(path.clone(), chapter.files[path].clone());
        }
        if let Some(edit) = &mut edit {
            edit.meet(&mut step, &left);
        }
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

/// The names of the steps of the chapter in this folder.
pub fn step_names(chapter: &Path) -> BTreeSet<String> {
    let steps = chapter.join("steps");
    let listed = read(&steps.join(FINAL)).unwrap_or_default();
    let found = files_under(&steps).unwrap_or_default();
    let all = found.iter().map(String::as_str).chain(listed.lines());
    all.filter_map(|path| Some(path.split_once('/')?.0.to_string())).collect()
}

/// Beside the steps, instead of copies: the files that are already as the chapter leaves them, one a line, with their step.
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
