//! The exercises' one source. `answers/ch02/append_row.rs` holds the task, three hints, the starter, the solution, why it is
//! right, and the check; `append_row.toml` beside it holds the answers that the check must refuse, each as a change of the
//! solution (the form is `faults`', and its `red` is words of the reason that the check gives).
//!
//! ```text
//! //? page: ch02/basic.md          lines for the tools: page, section, level, minutes, title, call, hint 1..3, why
//!
//! // The task.                     the starter begins with it
//!
//! pub fn append_row(...) {
//!     //-- starter
//!     // todo!()                   goes into the starter, without the slashes
//!     //-- solution
//!     ...                          stays out of the starter
//!     //-- end
//! }
//!
//! //-- check
//! pub mod check { ... }            stays out of both
//! ```
//!
//! An exercise whose starter has no `todo!()` is one in which a fault is to be found. The order of a chapter's exercises is
//! that of the tests in the Cargo.toml of the reader's package.

use std::collections::BTreeMap;
use std::fmt::{Display, Write as _};
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// One exercise as its annotated source describes it.
pub struct Exercise {
    /// "ch02"
    pub chapter: String,
    /// "append_row"
    pub name: String,
    pub about: BTreeMap<String, String>,
    /// The annotated source: it compiles as it is, and has the solution and the check.
    pub source: PathBuf,
    pub text: String,
    pub wrong: Vec<Wrong>,
    /// The folder of the reader's package.
    pub package_folder: PathBuf,
}

/// An answer that looks right and is not.
pub struct Wrong {
    pub name: String,
    /// The whole answer.
    pub text: String,
    /// Words of the reason that the check must give.
    pub red: String,
    /// What it does, and why that is wrong.
    pub why: String,
}

const KEYS: [&str; 10] = [
    "title", "page", "section", "level", "minutes", "call", "hint 1", "hint 2", "hint 3", "why",
];

/// How hard an exercise is.
pub const LEVELS: [&str; 3] = ["warm-up", "core", "deep"];

impl Exercise {
    pub fn id(&self) -> String {
        format!("{}_{}", self.chapter, self.name)
    }

    pub fn package(&self) -> String {
        format!("{}-exercises", self.chapter)
    }

    pub fn get(&self, key: &str) -> &str {
        &self.about[key]
    }

    /// The page of the built book: ch02/cache.html.
    pub fn address(&self) -> String {
        self.get("page").replace(".md", ".html")
    }

    /// The reader's package from the course's root, written alike on every system.
    pub fn folder(&self) -> String {
        self.package_folder.to_string_lossy().replace('\\', "/")
    }

    /// The file that the reader edits, from the course's root.
    pub fn file(&self) -> String {
        format!("{}/src/{}.rs", self.folder(), self.name)
    }

    /// The lines of the task: the comment at the top, without the slashes.
    pub fn task(&self) -> impl Iterator<Item = &str> {
        let about = |line: &&str| line.starts_with("//?") || line.is_empty();
        self.text.lines().skip_while(about).map_while(|line| line.strip_prefix("//"))
    }

    /// The reader looks for a fault in a function that is given, and has nothing to write from the start.
    pub fn has_fault(&self) -> bool {
        !code(&self.text, "solution").contains("todo!()")
    }
}

/// Every exercise, by chapter and then in the order of the package's tests. `root` is the course's root folder.
pub fn read_all(root: &Path) -> Result<Vec<Exercise>, String> {
    let answers = root.join("tests/exercises/answers");
    let mut all = Vec::new();
    for chapter in folders(&answers)? {
        let package_folder = package_folder(root, &chapter)?;
        let folder = answers.join(&chapter);
        let manifest = root.join(&package_folder).join("Cargo.toml");
        let order = tests(&read(&manifest)?);
        let (mut listed, mut there) = (order.clone(), sources(&folder)?);
        listed.sort();
        there.sort();
        if listed != there {
            let lists = format!("lists the exercises {listed:?}, the sources are {there:?}");
            return Err(problem_at(&manifest, lists));
        }
        for name in order {
            all.push(read_one(&folder, &chapter, &name, &package_folder)?);
        }
    }
    Ok(all)
}

/// The exercises that a package's Cargo.toml lists, one a line.
fn tests(manifest: &str) -> Vec<String> {
    let name = |line: &str| {
        let (_, path) = line.split_once("path = \"src/")?;
        Some(path.split_once(".rs\"")?.0.to_string())
    };
    manifest.lines().filter_map(name).collect()
}

fn read_one(
    folder: &Path,
    chapter: &str,
    name: &str,
    package_folder: &Path,
) -> Result<Exercise, String> {
    let source = folder.join(format!("{name}.rs"));
    let text = read(&source)?;
    let about = about(&text).map_err(|problem| problem_at(&source, problem))?;
    let (chapter, package_folder) = (chapter.to_string(), package_folder.to_path_buf());
    let name = name.to_string();
    let mut exercise =
        Exercise { chapter, name, about, source, text, wrong: Vec::new(), package_folder };
    let file = exercise.source.with_extension("toml");
    let solution = solution(&exercise);
    for fault in faults::read(&file).map_err(|problem| one_line(&problem))? {
        let text = fault.apply(&solution).map_err(|problem| problem_at(&file, problem))?;
        let ([red], Some(why)) = (&fault.red[..], fault.why) else {
            let missing = format!("{:?} needs one `red`, and a `why`", fault.name);
            return Err(problem_at(&file, missing));
        };
        exercise.wrong.push(Wrong { name: fault.name, text, red: red.clone(), why });
    }
    Ok(exercise)
}

/// The `//?` lines: `//? key: text`, continued by lines that begin with `//?` and two or more spaces.
fn about(text: &str) -> Result<BTreeMap<String, String>, String> {
    let mut about: BTreeMap<String, String> = BTreeMap::new();
    let mut last = None;
    for line in text.lines() {
        let Some(rest) = line.strip_prefix("//?") else {
            continue;
        };
        if let Some(more) = rest.strip_prefix("  ") {
            let key: &String = last.as_ref().ok_or("the first //? line continues nothing")?;
            let value = about.entry(key.clone()).or_default();
            value.push('\n');
            value.push_str(more.trim());
            continue;
        }
        let (key, value) = rest.split_once(':').ok_or(format!("no key in {line:?}"))?;
        let key = key.trim().to_string();
        if !KEYS.contains(&key.as_str()) {
            return Err(format!("unknown key {key:?}"));
        }
        about.insert(key.clone(), value.trim().to_string());
        last = Some(key);
    }
    match KEYS.iter().find(|key| !about.contains_key(**key)) {
        Some(missing) => Err(format!("no line \"//? {missing}: ...\"")),
        None => Ok(about),
    }
}

/// The file that the reader edits, as it is given.
pub fn starter(exercise: &Exercise) -> String {
    with_test(exercise, &starter_alone(exercise))
}

/// The answer as a whole file: what makes its test is at its end.
pub fn with_test(exercise: &Exercise, answer: &str) -> String {
    let up = "../".repeat(exercise.package_folder.components().count() + 1);
    let Exercise { chapter, name, .. } = exercise;
    let call = exercise.get("call");
    format!(
        "{answer}\n// The test. It stays here.\n\
         exercise_kit::exercise!({call} in \"{up}tests/exercises/answers/{chapter}/{name}.rs\");\n"
    )
}

/// The same without its test.
pub fn starter_alone(exercise: &Exercise) -> String {
    let name = &exercise.name;
    let task: String = exercise.task().map(|line| format!("//!{line}\n")).collect();
    format!(
        "//! {}\n//!\n{task}//!\n//! Level: {}, about {} minutes.\n//! Read: \"{}\", in the book at {}.\n\
         //! Run: `cargo run -- watch {name}`, or once: `cargo test -p {} {name}`.\n\
         //! Stuck: `cargo run -- hint {name}`. Done: `cargo run -- solution {name}`. Start over: `cargo run -- reset {name}`.\n\
         \n{}",
        exercise.get("title"),
        exercise.get("level"),
        exercise.get("minutes"),
        exercise.get("section"),
        exercise.address(),
        exercise.package(),
        code(&exercise.text, "solution"),
    )
}

/// The solution alone.
pub fn solution(exercise: &Exercise) -> String {
    code(&exercise.text, "starter")
}

/// The code without the task, without the check, and without the starter or the solution.
fn code(text: &str, without: &str) -> String {
    let about = |line: &&str| line.starts_with("//?") || line.is_empty();
    let code = text.lines().skip_while(about).skip_while(|line| line.starts_with("//"));
    let mut out = String::new();
    let mut part = "";
    for line in code.take_while(|line| *line != "//-- check") {
        if let Some(name) = line.trim_start().strip_prefix("//-- ") {
            part = name;
        } else if part != without {
            let slashes = if part == "starter" { "// " } else { "" };
            out.push_str(&line.replacen(slashes, "", 1));
            out.push('\n');
        }
    }
    format!("{}\n", out.trim())
}

/// As `cargo fmt` would leave it.
pub fn formatted(text: &str, root: &Path) -> Result<String, String> {
    let broken = |error: io::Error| format!("rustfmt: {error}");
    let mut rustfmt = Command::new("rustfmt")
        .args(["--edition", "2024", "--config-path"])
        .arg(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(broken)?;
    let mut input = rustfmt.stdin.take().ok_or("rustfmt: no standard input")?;
    input.write_all(text.as_bytes()).map_err(broken)?;
    drop(input);
    let output = rustfmt.wait_with_output().map_err(broken)?;
    String::from_utf8(output.stdout).map_err(|error| format!("rustfmt: {error}"))
}

/// The part of the page with the solutions that comes from the sources. `title` names a chapter.
pub fn solutions(exercises: &[Exercise], title: impl Fn(&str) -> String) -> String {
    let mut out = String::new();
    let mut chapter = "";
    // The ground floor comes first.
    let (ground, chapters): (Vec<&Exercise>, Vec<&Exercise>) =
        exercises.iter().partition(|exercise| exercise.chapter == "part0");
    for exercise in ground.into_iter().chain(chapters) {
        if exercise.chapter != chapter {
            chapter = &exercise.chapter;
            writeln!(out, "## {}\n", title(chapter)).ok();
        }
        let (name, page, section) =
            (&exercise.name, exercise.get("page"), exercise.get("section"));
        writeln!(out, "### `{name}`\n").ok();
        writeln!(
            out,
            "{}. The task is in `{}/src/{name}.rs`; it belongs to [{section}]({page}#{}).\n",
            exercise.get("title"),
            exercise.folder(),
            anchor(section)
        )
        .ok();
        writeln!(out, "<details><summary>A solution</summary>\n").ok();
        writeln!(out, "```rust\n{}```\n", solution(exercise)).ok();
        writeln!(out, "{}\n\n</details>\n", exercise.get("why").replace('\n', " ")).ok();
        let count = exercise.wrong.len();
        writeln!(out, "<details><summary>{count} answers that are wrong</summary>\n").ok();
        for wrong in &exercise.wrong {
            writeln!(out, "- *{}.* {}", wrong.name, wrong.why).ok();
        }
        writeln!(out, "\n</details>\n").ok();
    }
    out
}

/// As mdBook makes it from a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

/// `chapters/part0-exercises`, or `chapters/ch02-kv-cache/exercises`.
fn package_folder(root: &Path, chapter: &str) -> Result<PathBuf, String> {
    for name in folders(&root.join("chapters"))? {
        if name == format!("{chapter}-exercises") {
            return Ok(Path::new("chapters").join(name));
        }
        if name.starts_with(&format!("{chapter}-")) {
            return Ok(Path::new("chapters").join(name).join("exercises"));
        }
    }
    Err(one_line(&format!("no folder chapters/{chapter}-* for the exercises of {chapter}")))
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| problem_at(path, error))
}

/// What is wrong with a file or a folder, in one line.
pub fn problem_at(path: &Path, problem: impl Display) -> String {
    one_line(&format!("{}: {problem}", path.display()))
}

/// A name may hold what a terminal obeys: it is shown escaped. As `ground::text` does it, which a build script does not
/// have.
fn one_line(text: &str) -> String {
    let mut line = String::new();
    for character in text.chars() {
        match character {
            '"' | '\'' | '\\' => line.push(character),
            _ => line.extend(character.escape_debug()),
        }
    }
    line
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listed = fs::read_dir(folder).map_err(|error| problem_at(folder, error))?;
    let mut paths: Vec<PathBuf> = listed.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    Ok(paths)
}

fn folders(folder: &Path) -> Result<Vec<String>, String> {
    let paths = entries(folder)?;
    let names = paths.iter().filter(|path| path.is_dir()).map(|path| {
        let name = path.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    });
    Ok(names.collect())
}

/// The sources in a chapter's folder, by the names of their exercises.
fn sources(folder: &Path) -> Result<Vec<String>, String> {
    let mut paths = entries(folder)?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    let name =
        |path: &PathBuf| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    Ok(paths.iter().map(name).collect())
}
