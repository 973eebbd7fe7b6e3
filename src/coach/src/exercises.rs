//! The exercises as the reader's tools see them: which there are, what their tests say, and what was given.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use exercise_source::Exercise;
use ground::error::Error;
use ground::text::one_line;

use catalog::chapters;
use catalog::error::{problem, problem_at};

/// What the test of an exercise says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum State {
    Green,
    Red,
    /// As it was given.
    Unstarted,
    /// It does not compile.
    Broken,
}

/// An exercise that was compiled and, if it compiles, tested.
#[derive(Clone, Debug)]
pub struct Tried {
    pub state: State,
    /// What the test says or, of an exercise that does not compile, the compiler. Nothing where it is green.
    pub text: String,
    /// The exercise was compiled by itself, because some exercise of its package does not compile.
    pub alone: bool,
}

/// All exercises in the order of the book: those of the ground floor come after chapter 2.
pub fn all(root: &Path) -> Result<Vec<Exercise>, Error> {
    let mut all =
        exercise_source::read_all(root).map_err(|why| problem(one_line(&why, 500)))?;
    all.sort_by_key(|exercise| place(&exercise.chapter));
    Ok(all)
}

/// What sorts chapters as the book has them: the ground floor is read after chapter 2.
pub fn place(chapter: &str) -> String {
    if chapter == "part0" { "ch02 and on".into() } else { chapter.into() }
}

/// The exercise that the reader names.
pub fn find(root: &Path, name: &str) -> Result<Exercise, Error> {
    let mut all = all(root)?;
    if let Some(at) = all.iter().position(|exercise| exercise.name == name) {
        return Ok(all.swap_remove(at));
    }
    let names_of = |chapter: &str| {
        let of = all.iter().filter(|exercise| exercise.chapter == chapter);
        of.map(|exercise| exercise.name.as_str()).collect::<Vec<_>>().join(", ")
    };
    let of_chapter = names_of(name);
    if !of_chapter.is_empty() {
        return Err(problem(format!(
            "{name} is a chapter: expected one of its exercises, which are {of_chapter}"
        )));
    }
    // It likes what begins alike.
    let alike = |exercise: &&Exercise| strsim::jaro_winkler(name, &exercise.name);
    let nearest = all.iter().max_by(|a, b| alike(a).total_cmp(&alike(b)));
    let nearest =
        nearest.map_or(String::new(), |near| format!("; the nearest is {}", near.name));
    Err(problem(format!(
        "there is no exercise {name:?}{nearest}: `cargo run -- progress` lists them all"
    )))
}

/// The file that the reader edits, from the course's root folder.
pub fn file(exercise: &Exercise) -> PathBuf {
    exercise.file().into()
}

/// Compiles and tests one exercise. It does not matter whether the others compile.
pub fn try_one(root: &Path, exercise: &Exercise) -> Result<Tried, Error> {
    let output = test(root, exercise, &["--test", &exercise.name])?;
    Ok(tried(exercise, &output, true))
}

/// Compiles and tests all exercises of one package: together, which is quick, or one by one if one does not compile.
pub fn try_package(root: &Path, exercises: &[&Exercise]) -> Result<Vec<Tried>, Error> {
    let Some(first) = exercises.first() else { return Ok(Vec::new()) };
    let output = test(root, first, &["--lib"])?;
    if output.built() {
        return Ok(exercises.iter().map(|one| tried(one, &output, false)).collect());
    }
    exercises.iter().map(|exercise| try_one(root, exercise)).collect()
}

/// The first exercise from this place on that is not green, and what its test says. Whole packages are tested, until one
/// has such an exercise.
pub fn first_open(
    root: &Path,
    all: &[Exercise],
    from: usize,
) -> Result<Option<(usize, Tried)>, Error> {
    let mut place = from;
    for package in all[from..].chunk_by(|a, b| a.chapter == b.chapter) {
        for tried in try_package(root, &package.iter().collect::<Vec<_>>())? {
            if tried.state != State::Green {
                return Ok(Some((place, tried)));
            }
            place += 1;
        }
    }
    Ok(None)
}

/// What a test program printed, and what Cargo and the compiler did.
struct Output {
    tests: String,
    compiler: String,
}

impl Output {
    /// The tests have run, whatever came of them.
    fn built(&self) -> bool {
        self.tests.contains("\ntest result: ")
    }
}

fn test(root: &Path, exercise: &Exercise, target: &[&str]) -> Result<Output, Error> {
    let output = chapters::cargo(&root.join(&exercise.package_folder))
        .args(["test", "--quiet", "--color=never", "--no-fail-fast"])
        .args(target)
        .args(["--", "--format=pretty", "--color=never"])
        .output()?;
    Ok(Output {
        tests: String::from_utf8_lossy(&output.stdout).into_owned(),
        compiler: String::from_utf8_lossy(&output.stderr).into_owned(),
    })
}

fn tried(exercise: &Exercise, output: &Output, alone: bool) -> Tried {
    let name = &exercise.name;
    let test = if alone { "exercise" } else { &format!("{name}::exercise") };
    let of = |state, text: &str| Tried { state, text: text.to_string(), alone };
    // What an answer itself has printed comes after the list, and may look like one.
    let list = output.tests.split("\nfailures:\n").next().unwrap_or_default();
    if list.lines().any(|line| line == format!("test {test} ... ok")) {
        return of(State::Green, "");
    }
    if !output.built() {
        return of(State::Broken, &errors(&output.compiler));
    }
    if !list.lines().any(|line| line.starts_with(&format!("test {test} ... "))) {
        let (file, end) = (exercise.file(), exercise_source::with_test(exercise, ""));
        return of(
            State::Broken,
            &format!("{file} has no test any more. It ends in\n\n{}", end.trim()),
        );
    }
    let begin = format!("---- {test} stdout ----\n");
    let told = output.tests.split_once(&begin).map_or("", |(_, rest)| rest);
    // The next test's words, or the list of those that failed.
    let end = ["\n---- ", "\nfailures:\n"].iter().filter_map(|end| told.find(end)).min();
    let told = told[..end.unwrap_or(told.len())].trim().replacen("Error: ", "", 1);
    let as_given = ["is still todo!()", "still has its fault"];
    let state = match as_given.iter().any(|words| told.contains(&format!("{name} {words}"))) {
        true => State::Unstarted,
        false => State::Red,
    };
    of(state, &told)
}

/// The compiler's errors without its warnings. If it has none, Cargo itself has failed, and all that it says is shown.
fn errors(compiler: &str) -> String {
    let errors: Vec<&str> = compiler
        .split("\n\n")
        .map(str::trim)
        .filter(|block| block.starts_with("error"))
        .filter(|block| !block.starts_with("error: could not compile"))
        .collect();
    match errors.is_empty() {
        true => compiler.trim().to_string(),
        false => errors.join("\n\n"),
    }
}

/// What `reset` did.
#[derive(Debug, PartialEq)]
pub enum Reset {
    /// The file was as given: there was nothing to do.
    AsGiven,
    /// The file is as given again. What it was is kept here, a way from the course's root folder.
    Kept(PathBuf),
    /// There was no file.
    Missing,
}

/// Writes the file of an exercise as it was given. What the reader has written is never lost.
pub fn reset(root: &Path, exercise: &Exercise) -> Result<Reset, Error> {
    let starter = exercise_source::starter(exercise);
    // Without rustfmt it is right too, and some lines may be longer.
    let starter = exercise_source::formatted(&starter, root).unwrap_or(starter);
    let path = root.join(file(exercise));
    let done = match fs::read(&path) {
        Ok(text) if text == starter.as_bytes() => return Ok(Reset::AsGiven),
        Ok(text) => Reset::Kept(keep(root, &exercise.name, &text)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Reset::Missing,
        Err(error) => return Err(problem_at(&path, error)),
    };
    fs::write(&path, starter).map_err(|error| problem_at(&path, error))?;
    Ok(done)
}

/// Writes the text to the first file that is free: `my/exercises/NAME-1.rs`, `NAME-2.rs`, ...
fn keep(root: &Path, name: &str, text: &[u8]) -> Result<PathBuf, Error> {
    let folder = Path::new("my/exercises");
    fs::create_dir_all(root.join(folder)).map_err(|error| problem_at(folder, error))?;
    let mut number = 1;
    loop {
        let kept = folder.join(format!("{name}-{number}.rs"));
        match OpenOptions::new().write(true).create_new(true).open(root.join(&kept)) {
            Ok(mut file) => {
                file.write_all(text)?;
                return Ok(kept);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
            Err(error) => return Err(problem_at(&kept, error)),
        }
    }
}

/// Notices when the file of an exercise is saved.
pub struct Watch {
    files: Vec<(PathBuf, Option<SystemTime>)>,
}

impl Watch {
    pub fn new(root: &Path, exercises: &[Exercise]) -> Watch {
        let files = exercises.iter().map(|exercise| root.join(file(exercise)));
        Watch { files: files.map(|path| (path.clone(), saved(&path))).collect() }
    }

    /// Which exercise was saved since the last call: its place in the list. Of several the first; the others come next.
    pub fn changed(&mut self) -> Option<usize> {
        self.files.iter_mut().position(|(path, before)| {
            let now = saved(path);
            let changed = now.is_some() && now != *before;
            // An editor may remove a file for a moment: it counts when it is back.
            *before = now.or(*before);
            changed
        })
    }
}

fn saved(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|about| about.modified()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_a_folder_is_called_an_error_is_one_line() {
        let root = Path::new("a\n\u{1b}[2J");
        let judge = judge::judgement::Judgement::read(root, "tiny", None).err();
        let exercises = all(root).err();
        let suite = judge::Suite::read(root).err();
        for error in [chapters::names(root).err(), judge, exercises, suite] {
            let error = error.expect("there is no such folder").to_string();
            assert!(error.contains(r"a\n\u{1b}[2J"), "{error}");
            assert!(!error.contains(char::is_control), "{error:?}");
        }
        let quoted = problem_at(Path::new("a"), "unknown field `\u{1b}[2J\n`").to_string();
        assert_eq!(quoted, r"a: unknown field `\u{1b}[2J\n`");
    }

    #[test]
    fn a_name_that_is_nearly_right_is_understood() {
        let root = chapters::root();
        let told =
            |name: &str| find(&root, name).map(|found| found.name).map_err(|e| e.to_string());
        assert_eq!(told("append_row").as_deref(), Ok("append_row"));
        for (name, words) in [
            (
                "apend_row",
                "there is no exercise \"apend_row\"; the nearest is append_row: `cargo",
            ),
            ("append-row", "the nearest is append_row"),
            ("apend", "the nearest is append_row"),
            (
                "ch02",
                "ch02 is a chapter: expected one of its exercises, which are append_row, ",
            ),
            ("", "there is no exercise \"\""),
        ] {
            let error = told(name).expect_err(name);
            assert!(error.contains(words) && !error.contains('\n'), "{error}");
        }
    }

    #[test]
    fn a_name_belongs_to_one_exercise() {
        let all = all(&chapters::root()).expect("the annotated sources can be read");
        let mut chapters: Vec<_> = all.iter().map(|one| one.chapter.as_str()).collect();
        chapters.dedup();
        assert_eq!(chapters[..5], ["ch00", "ch01", "ch02", "part0", "ch03"]);
        let mut names: Vec<_> = all.iter().map(|exercise| &exercise.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all.len());
    }

    #[test]
    fn errors_are_shown_without_warnings() {
        let said = "warning: unused\n --> a\n\nerror[E0308]: mismatched\n --> c/src/b.rs:1\n  |\n1 | x\n\n\
             error: could not compile `x` (test \"x\") due to 1 previous error\n";
        assert_eq!(errors(said), "error[E0308]: mismatched\n --> c/src/b.rs:1\n  |\n1 | x");
        assert_eq!(errors("no such thing\n"), "no such thing");
    }
}
