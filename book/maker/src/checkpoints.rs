//! Whether the code compiles as it stands at each checkpoint of the book, and the programs of a chapter's steps.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

use catalog::manifest::{self, About};
use catalog::workspace;
use judge::judgement::Judgement;
use judge::ways::all_the_same;
use judge::{Asked, Engine, Question, Suite, Topic};
use serde_json::Value;

use crate::book::Book;
use crate::cargo::{cargo, told};
use crate::claims::Claims;
use crate::fault::{BookError, Fault, files_under, read, write};
use crate::proofread::checkpoint_states;
use crate::repository::{Chapter, MANIFEST, Repository, renamed};
use crate::rooms::main_line;
use crate::sources::Sources;

/// Compiles the code at every checkpoint, or at those of the pages whose path contains `page`.
///
/// All states that have not compiled before are packages of one workspace, so that cargo compiles what they share once
/// and works on as many at a time as there are cores.
pub fn compile(repository: &Repository, page: Option<&str>) -> Result<Vec<Fault>, BookError> {
    let book = Book::load(repository)?;
    let claims = Claims::tell(repository, &book);
    let workshop = Workshop::set_up(repository, "target/checkpoints")?;
    workshop.keep(|_| false)?;
    let (mut states, mut before) = (Vec::new(), 0);
    for state in checkpoint_states(&Sources::of(repository, &book, &claims)) {
        let Some(chapter) = repository.chapter(&state.chapter) else { continue };
        if page.is_some_and(|page| !state.place.contains(page)) {
            continue;
        }
        let passed = workshop.passed(&chapter.package, chapter, &state.files);
        if passed.is_file() {
            before += 1;
        } else {
            workshop.lay_out(&name(states.len()), chapter, &state.files)?;
            states.push((state.place, passed));
        }
    }
    told("checkpoints", before, states.len());
    if states.is_empty() { Ok(Vec::new()) } else { workshop.check(states) }
}

/// Builds the release program of every step of a chapter, and tells where each is. They are called `ch03-lanes` and the
/// like; the chapter's own program is the last step.
pub fn programs(repository: &Repository, chapter: &Chapter) -> Result<Vec<PathBuf>, BookError> {
    Workshop::set_up(repository, STEPS)?.programs(chapter, true)
}

/// Here the steps are compiled, for the suite and for the book's console blocks: once for both.
const STEPS: &str = "target/steps";

/// Who writes there and compiles holds this.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether every step of every chapter is an engine: its layers, tokens and logits are the judge's, of a chapter on a base
/// the layers alone, and one question in all ways that there are at the end of its page they are the same to the bit. So is
/// what somebody has who leaves side rooms out, wherever no step has it. A step that was right is not tried again before
/// it, the suite, a fixture or what its chapter says of itself changes.
pub fn steps(repository: &Repository) -> Result<Vec<Fault>, BookError> {
    let workshop = Workshop::set_up(repository, STEPS)?;
    let judge = judge::fingerprint(&repository.root)?;
    let book = Book::load(repository)?;
    let claims = Claims::tell(repository, &book);
    let sources = Sources::of(repository, &book, &claims);
    let mut before: Option<&Chapter> = None;
    let mut faults = Vec::new();
    for chapter in &repository.chapters {
        let others = before.replace(chapter).map(|before| &before.about);
        let mut shown: Vec<&str> = Vec::new();
        let mut abouts: BTreeMap<String, About> = chapter
            .steps
            .iter()
            .map(|step| {
                let its = claims.all.iter().filter(|claim| claim.chapter == step.short);
                shown.extend(its.filter_map(|claim| claim.page.split(['/', '.']).nth(1)));
                (step.short.clone(), chapter.about.while_typed(&shown, others).0)
            })
            .collect();
        let mut chapter = chapter.clone();
        for (state, typed) in without_rooms(&sources, &chapter) {
            let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
            abouts.insert(state.short.clone(), chapter.about.while_typed(&typed, others).0);
            chapter.steps.push(state);
        }
        let chapter = &chapter;
        let passed = |step: &Chapter| {
            let name = format!("{}-{judge:016x}-{:?}", step.short, abouts[step.short.as_str()]);
            workshop.passed(&name, step, &step.files)
        };
        let again = chapter.steps.iter().any(|step| !passed(step).is_file());
        if !chapter.steps.is_empty() {
            let (before, now) =
                if again { (0, chapter.steps.len()) } else { (chapter.steps.len(), 0) };
            told(&format!("steps of {}", chapter.short), before, now);
        }
        if !again {
            continue;
        }
        let suite = Suite::read(&repository.root)?;
        let of = |model: &str| -> Vec<Topic> {
            let mut topics = Suite::topics(false);
            topics.retain(|topic| topic.name.ends_with(model));
            topics
        };
        let [_, plain, packed] = judge::judgement::MODELS;
        let (mut topics, judgement) =
            (of(plain), Judgement::read(&repository.root, plain, None)?);
        topics.retain(|topic| !topic.name.starts_with("every way"));
        if chapter.base.is_some() {
            // What computes is the base's: the layers tell whether the step gets them from it.
            topics.retain(|topic| topic.asked == Asked::InAllWays);
        } else if chapter.about.judge.is_some() {
            topics
                .extend(of(packed).into_iter().filter(|topic| topic.asked != Asked::InAllWays));
        }
        // In all ways one question: which ways there are is said of each page by hand.
        let in_all = Question::greedy(&judgement.model_file, &[7, 3, 5, 2, 7, 3, 5], 2, 10);
        let programs = workshop.programs(chapter, false)?;
        let wrong = |step: &Chapter, program| {
            let About { ways, metrics, judge, says, judged_from, .. } =
                abouts[step.short.as_str()].clone();
            if judged_from.is_some() {
                return None; // the console blocks of its page say what it writes
            }
            let engine = Engine {
                name: step.short.clone(),
                program,
                ways,
                metrics,
                judge,
                says,
                serves: false,
            };
            let few = engine.in_two_ways();
            let mut tried = topics.iter().map(|topic| topic.try_on(&suite, &few));
            let wrong = tried.find_map(Result::err);
            wrong.or_else(|| all_the_same(&engine, &in_all).err())
        };
        let wrong = &wrong;
        let tried: Vec<_> = thread::scope(|scope| {
            let steps = chapter.steps.iter().zip(programs);
            let tries: Vec<_> = steps
                .map(|(step, program)| scope.spawn(move || wrong(step, program)))
                .collect();
            tries.into_iter().map(|tried| tried.join().expect("it does not panic")).collect()
        });
        for (step, mistake) in chapter.steps.iter().zip(tried) {
            match mistake {
                None => write(&passed(step), "")?,
                Some(mistake) => {
                    faults.push(Fault::in_file(&step.folder, mistake.to_string()));
                }
            }
        }
    }
    Ok(faults)
}

/// What a reader has who leaves rooms out, after each page where no step has the same: a further step, and the pages typed.
fn without_rooms(sources: &Sources, chapter: &Chapter) -> Vec<(Chapter, Vec<String>)> {
    let mut states: Vec<(Chapter, Vec<String>)> = Vec::new();
    let mut typed = Vec::new();
    for step in main_line(sources, &chapter.short).0 {
        typed.extend(step.page.split('/').next_back().map(String::from));
        let same = |state: &Chapter| state.files == step.files;
        let known = same(chapter)
            || chapter.steps.iter().any(same)
            || states.iter().any(|(state, _)| same(state));
        if known || !step.compiles || step.without.is_empty() {
            continue;
        }
        let state = Chapter {
            short: format!("{}-main-line", step.page.replace('/', "-")),
            folder: format!("book/src/{}.md without {}", step.page, step.without.join(", ")),
            files: step.files,
            steps: Vec::new(),
            ..chapter.clone()
        };
        states.push((state, typed.clone()));
    }
    states
}

/// The program of a step or of a whole chapter, to be run as a reader runs it at the end of the page, with the chapter's
/// examples.
pub struct StepRun<'a> {
    workshop: Workshop<'a>,
    step: &'a Chapter,
    files: BTreeMap<String, String>,
}

impl<'a> StepRun<'a> {
    pub fn of(repository: &'a Repository, step: &str) -> Result<StepRun<'a>, BookError> {
        let unknown =
            || BookError::content(&repository.root, format!("there is no step '{step}'"));
        let step = repository.chapter(step).ok_or_else(unknown)?;
        let whole = repository.chapter_named(&step.package).unwrap_or(step);
        let examples = repository.root.join(&whole.folder).join("examples");
        let mut files = step.files.clone();
        for file in files_under(&examples)? {
            let text = read(&examples.join(&file))?;
            files.insert(format!("examples/{file}"), text);
        }
        let workshop = Workshop::set_up(repository, STEPS)?;
        Ok(StepRun { workshop, step, files })
    }

    /// The file that is there once this command has printed this.
    pub fn printed(&self, command: &str, shown: &str) -> Result<PathBuf, BookError> {
        Ok(self.workshop.passed(&format!("{command}{shown}"), self.step, &self.files))
    }

    /// Writes the package, and adds to Cargo's arguments what it needs there: in this folder. Nobody else compiles in it
    /// before the guard is dropped.
    pub fn laid_out(
        &self,
        arguments: &mut Vec<String>,
    ) -> Result<(PathBuf, MutexGuard<'static, ()>), BookError> {
        let alone = alone();
        self.workshop.lay_out(&self.step.short, self.step, &self.files)?;
        self.workshop.write_manifest()?;
        arguments.extend(["-p".into(), self.step.short.clone()]);
        arguments.extend(self.workshop.settings());
        // As it was built for the suite. Chapters without a base compute in plain loops, and are compiled sooner than
        // those would end.
        if self.step.base.is_some() {
            arguments.extend(self.workshop.quickly_built(self.step));
        }
        Ok((self.workshop.folder.clone(), alone))
    }
}

/// A number for the floors below the chapters and for what else every state is compiled with.
fn ground(repository: &Repository, with: &[&[u8]]) -> Result<u64, BookError> {
    let mut hasher = DefaultHasher::new();
    with.hash(&mut hasher);
    for floor in ["src/ground", "src/terminal"] {
        for file in files_under(&repository.root.join(floor))? {
            let bytes = std::fs::read(repository.root.join(floor).join(&file));
            (file, bytes.unwrap_or_default()).hash(&mut hasher);
        }
    }
    Ok(hasher.finish())
}

/// What the compiler says of itself, all of it: another build of the same version may accept other code.
fn compiler() -> Result<Vec<u8>, BookError> {
    let program = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(program).arg("-vV").output();
    let failed = |reason: io::Error| BookError::Command {
        command: "rustc -vV".into(),
        reason: reason.to_string(),
    };
    Ok(output.map_err(failed)?.stdout)
}

/// A workspace of its own under `target`, so that the dependencies are compiled once for all checkpoints.
struct Workshop<'a> {
    repository: &'a Repository,
    folder: PathBuf,
    /// The course's own: what is compiled there already is not compiled again.
    target: PathBuf,
    /// The course's own Cargo.toml as that of the workshop, but for its profiles.
    workspace: String,
    lock: String,
    /// Of what every state compiles with: the compiler, the workspace without the tools, the versions, the ground floor.
    ground: u64,
}

/// The folder and the package of a state; the folder's name is its place in the list.
fn name(index: usize) -> String {
    format!("state-{index:03}")
}

impl<'a> Workshop<'a> {
    fn set_up(repository: &'a Repository, folder: &str) -> Result<Workshop<'a>, BookError> {
        let folder = repository.root.join(folder);
        let manifest = repository.root.join("Cargo.toml");
        let root = repository.root.display().to_string().replace('\\', "/");
        let workspace = workspace::beside(&read(&manifest)?, "states/*", &root)
            .map_err(|reason| BookError::content(&manifest, reason))?;
        let lock = read(&repository.root.join("Cargo.lock")).unwrap_or_default();
        let ground =
            ground(repository, &[&compiler()?, workspace.as_bytes(), lock.as_bytes()])?;
        let target = repository.root.join("target");
        Ok(Workshop { repository, folder, target, workspace, lock, ground })
    }

    /// Leaves only states with these names.
    fn keep(&self, is_kept: impl Fn(&str) -> bool) -> Result<(), BookError> {
        for state in self.folder.join("states").read_dir().into_iter().flatten().flatten() {
            if !is_kept(&state.file_name().to_string_lossy()) {
                let path = state.path();
                std::fs::remove_dir_all(&path)
                    .map_err(|source| BookError::File { path, source })?;
            }
        }
        Ok(())
    }

    /// Runs cargo over the states.
    fn cargo(&self, arguments: &[&str]) -> Result<Output, BookError> {
        self.write_manifest()?;
        let settings = self.settings();
        let settings: Vec<&str> = settings.iter().map(String::as_str).collect();
        cargo(&self.folder, &[arguments, &["--offline"], &settings].concat())
    }

    /// Few of the states are ever compiled again, so nothing is kept for that.
    fn settings(&self) -> [String; 4] {
        let target = self.target.display().to_string();
        let once = "profile.dev.incremental=false".into();
        ["--target-dir".into(), target, "--config".into(), once]
    }

    fn write_manifest(&self) -> Result<(), BookError> {
        let mut manifests = Vec::new();
        let bases = self.repository.chapters.iter().filter_map(|chapter| chapter.base.as_ref());
        let bases = bases.filter_map(|base| self.repository.chapter_named(base));
        manifests.extend(bases.filter_map(|base| base.files.get(MANIFEST).cloned()));
        for state in files_under(&self.folder.join("states"))? {
            if state.ends_with(MANIFEST) {
                manifests.push(read(&self.folder.join("states").join(state))?);
            }
        }
        let workspace = workspace::with_profiles_for(&self.workspace, &self.lock, &manifests);
        let workspace = workspace.map_err(|e| BookError::content(&self.folder, e))?;
        write(&self.folder.join(MANIFEST), &workspace)?;
        if !self.lock.is_empty() {
            write(&self.folder.join("Cargo.lock"), &self.lock)?;
        }
        Ok(())
    }

    /// The programs of a chapter's steps, built.
    fn programs(&self, chapter: &Chapter, release: bool) -> Result<Vec<PathBuf>, BookError> {
        let _alone = alone();
        self.keep(|name| self.repository.chapter(name).is_some())?;
        for step in &chapter.steps {
            self.lay_out(&step.short, step, &step.files)?;
        }
        let mut arguments = vec!["build"];
        arguments.extend(release.then_some("--release"));
        arguments.extend(chapter.steps.iter().flat_map(|step| ["-p", &step.short]));
        let quickly = self.quickly_built(chapter);
        arguments.extend(quickly.iter().map(String::as_str));
        let output = self.cargo(&arguments)?;
        if !output.status.success() {
            return Err(BookError::Command {
                command: format!("cargo {} in {}", arguments.join(" "), self.folder.display()),
                reason: String::from_utf8_lossy(&output.stderr).trim().into(),
            });
        }
        let folder = self.target.join(if release { "release" } else { "debug" });
        let program = |step: &Chapter| {
            folder.join(format!("{}{}", step.short, std::env::consts::EXE_SUFFIX))
        };
        Ok(chapter.steps.iter().map(program).collect())
    }

    /// The file that is there once these files have compiled: they are not tried again.
    fn passed(
        &self,
        name: &str,
        chapter: &Chapter,
        files: &BTreeMap<String, String>,
    ) -> PathBuf {
        let mut hasher = DefaultHasher::new();
        let base = self.base_of(chapter).map(|base| &base.files);
        (self.ground, name, base, files).hash(&mut hasher);
        self.folder.join(format!("passed/{:016x}", hasher.finish()))
    }

    /// What only has to be right need not be fast: a quarter of the time to compile, twice that to run.
    fn quickly_built(&self, chapter: &Chapter) -> Vec<String> {
        let mut settings = vec!["profile.dev.opt-level=0".into(), "profile.dev.debug=0".into()];
        let mut base = self.base_of(chapter);
        while let Some(chapter) = base {
            settings.push(format!("profile.dev.package.{}.opt-level=0", chapter.package));
            base = self.base_of(chapter);
        }
        settings.into_iter().flat_map(|setting| ["--config".into(), setting]).collect()
    }

    fn base_of(&self, chapter: &Chapter) -> Option<&Chapter> {
        chapter.base.as_ref().and_then(|base| self.repository.chapter_named(base))
    }

    /// Writes one state as a package with a name of its own; its library keeps the chapter's name.
    fn lay_out(
        &self,
        name: &str,
        chapter: &Chapter,
        files: &BTreeMap<String, String>,
    ) -> Result<(), BookError> {
        let folder = self.folder.join("states").join(name);
        let package = &chapter.package;
        let base = self.base_of(chapter);
        let whole = self.repository.chapter_named(package).unwrap_or(chapter);
        let left = base.map(|base| renamed(base, chapter)).unwrap_or_default();
        let mut written = BTreeMap::new();
        for (path, text) in files {
            if left.get(path) == Some(text) && !whole.own.contains(path) {
                continue; // it is the base's
            }
            if path != MANIFEST {
                written.insert(path, text.clone());
                continue;
            }
            let own = format!("name = \"{name}\"");
            let mut text = text.replacen(&format!("name = \"{package}\""), &own, 1);
            if let Some(base) = base {
                let place = self.repository.root.join(&base.folder);
                text = manifest::on_base(&text, &base.package, &place);
            }
            let library = chapter.crate_name();
            written.insert(path, format!("{text}\n[lib]\nname = \"{library}\"\n"));
        }
        for path in files_under(&folder)?.iter().filter(|path| !written.contains_key(path)) {
            let path = folder.join(path);
            std::fs::remove_file(&path).map_err(|source| BookError::File { path, source })?;
        }
        // What is there as it shall be keeps its time: so Cargo doesn't compile it again.
        for (path, text) in written {
            let path = folder.join(path);
            if std::fs::read_to_string(&path).ok().as_ref() != Some(&text) {
                write(&path, &text)?;
            }
        }
        Ok(())
    }

    /// `states`: the place in the book, and the file that says that it has compiled.
    fn check(&self, states: Vec<(String, PathBuf)>) -> Result<Vec<Fault>, BookError> {
        let output = self.cargo(&[
            "check",
            "--workspace",
            "--lib",
            "--bins",
            "--examples",
            "--keep-going",
            "--message-format=json",
        ])?;
        let mut errors: BTreeMap<String, String> = BTreeMap::new();
        let mut compiled: BTreeMap<String, usize> = BTreeMap::new();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let Ok(message) = serde_json::from_str::<Value>(line) else { continue };
            let folder =
                message["manifest_path"].as_str().map(Path::new).and_then(Path::parent);
            let Some(state) = folder.and_then(Path::file_name) else { continue };
            let state = state.to_string_lossy().into_owned();
            if message["reason"] == "compiler-artifact" {
                *compiled.entry(state).or_default() += 1;
            } else if message["message"]["level"] == "error" {
                let said = message["message"]["rendered"].as_str().unwrap_or_default();
                let all = errors.entry(state).or_default();
                // The first says most; a later one often follows from it.
                if all.is_empty() {
                    all.push_str(said.trim_end());
                }
            }
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        // What the compiler warns about is in its messages; here Cargo itself speaks, also of a failure that is told below.
        let warned = stderr.lines().filter(|line| {
            line.starts_with("warning: ") && !line.starts_with("warning: build failed")
        });
        let mut faults: Vec<Fault> = warned
            .map(|warned| Fault::in_file("the workspace of the checkpoints", warned))
            .collect();
        for (index, (place, passed)) in states.into_iter().enumerate() {
            let state = name(index);
            let folder = self.folder.join("states").join(&state);
            // A library, from some page on a program, and the examples that the pages have named.
            let examples = folder.join("examples").read_dir().map_or(0, Iterator::count);
            let targets = 1 + usize::from(folder.join("src/main.rs").is_file()) + examples;
            let whole = compiled.get(&state) == Some(&targets);
            match errors.get(&state) {
                None if whole => write(&passed, "")?,
                said => {
                    let otherwise = || stderr.clone().into_owned();
                    let said = said.cloned().unwrap_or_else(otherwise);
                    let message = format!("does not compile here:\n{said}");
                    faults.push(Fault { place, message });
                }
            }
        }
        Ok(faults)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_says_which_it_is() {
        let said = String::from_utf8(compiler().expect("rustc runs")).expect("words");
        assert!(said.contains("commit-hash: ") && said.contains("host: "), "{said}");
    }
}
